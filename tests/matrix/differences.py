"""Which verdicts differ from what the RFCs ask for, and which of these differences are explained.

explained.tsv has a line for each kind of difference, fields separated by tabs, "*" for any:
    resolver, case, signer, algorithm, denial, what it says, the RFC section that decides, why
"""

import csv
import fnmatch
import pathlib
from dataclasses import dataclass

EXPLAINED = pathlib.Path(__file__).resolve().parent / "explained.tsv"


@dataclass
class Explanation:
    resolver: str
    case: str
    signer: str
    algorithm: str
    denial: str
    says: str
    section: str
    why: str
    used: int = 0

    def covers(self, resolver, row, verdict):
        c = row.combination
        given = [(self.resolver, resolver), (self.case, row.case), (self.signer, c.signer),
                 (self.algorithm, str(c.algorithm)), (self.denial, c.denial), (self.says, str(verdict))]
        return all(fnmatch.fnmatchcase(value, pattern) for pattern, value in given)


def explanations():
    with open(EXPLAINED, newline="") as lines:
        return [Explanation(*fields) for fields in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
                if fields and not fields[0].startswith("#")]


def expected_text(row):
    return "bogus" if row.expected == "bogus" else f"{row.expected} {row.rcode}"


@dataclass(frozen=True)
class Difference:
    row: object
    resolver: str
    verdict: object
    explanation: object   # None: nobody has said why


def differences(row, verdict_of, known):
    """Differences of this row's verdicts (resolver -> Verdict) from what is expected."""
    found = []
    for resolver, verdict in verdict_of.items():
        if str(verdict) == expected_text(row):
            continue
        explanation = next((e for e in known if e.covers(resolver, row, verdict)), None)
        if explanation:
            explanation.used += 1
        found.append(Difference(row, resolver, verdict, explanation))
    return found
