#!/usr/bin/env python3
"""The lint scripts see what they are for: each case is a tree of sources and the findings it gives."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import sources

HERE = pathlib.Path(__file__).parent


def findings(script, tree):
    """Runs a script on a tree given as {path: text}; returns its lines."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in tree.items():
            path = pathlib.Path(directory, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, HERE / script, directory], capture_output=True,
                              text=True)
    assert done.returncode == (1 if done.stdout else 0), done
    return done.stdout.splitlines()


class IncludeOrder(unittest.TestCase):
    def check(self, tree, *expected):
        self.assertEqual(findings("include_order.py", tree), list(expected))

    def test_an_include_to_the_left_is_fine(self):
        self.check({"src/cache/a.cpp": '#include "cache/a.hpp"\n#include "siskin/wire/name.hpp"\n'})

    def test_an_include_to_the_right_is_refused(self):
        self.check({"include/siskin/wire/a.hpp": '\n#include "siskin/cache/a.hpp"\n'},
                   'include/siskin/wire/a.hpp:2: room wire may not include room cache '
                   '("siskin/cache/a.hpp")')

    def test_neighbours_do_not_see_each_other(self):
        self.check({"src/text/a.cpp": '#include "siskin/runtime/a.hpp"\n'},
                   'src/text/a.cpp:1: room text may not include room runtime '
                   '("siskin/runtime/a.hpp")')

    def test_net_does_not_see_resolve(self):
        self.check({"src/net/a.cpp": '#include "siskin/resolve/a.hpp"\n'},
                   'src/net/a.cpp:1: room net may not include room resolve '
                   '("siskin/resolve/a.hpp")')

    def test_only_app_sees_config(self):
        self.check({"src/serve/a.cpp": '#include "siskin/config/a.hpp"\n',
                    "src/app/a.cpp": '#include "siskin/config/a.hpp"\n'},
                   'src/serve/a.cpp:1: room serve may not include room config '
                   '("siskin/config/a.hpp")')

    def test_private_headers_stay_private(self):
        self.check({"src/serve/a.cpp": '#include "resolve/walk.hpp"\n',
                    "include/siskin/serve/a.hpp": '#include "serve/a.hpp"\n'},
                   'include/siskin/serve/a.hpp:1: a public header includes the private "serve/a.hpp"',
                   'src/serve/a.cpp:1: "resolve/walk.hpp" is private to room resolve')

    def test_ldns_comes_through_its_wrapper(self):
        self.check({"src/text/ldns.hpp": "#include <ldns/ldns.h>\n",
                    "src/resolve/a.cpp": '#include "text/ldns.hpp"\n',
                    "src/resolve/b.cpp": "#include <ldns/packet.h>\n",
                    "src/serve/a.cpp": "// ldns_rr in a comment is fine\nldns_rr* rr;\n"},
                   "src/resolve/b.cpp:1: <ldns/packet.h> may be included by src/text/ldns.hpp only",
                   "src/serve/a.cpp:2: ldns_rr outside rooms dnssec, resolve, text")

    def test_toml_is_read_in_one_file(self):
        self.check({"src/config/a.cpp": "#include <toml++/toml.h>\n",
                    "src/config/b.cpp": "#include <toml++/toml.h>\n"},
                   "src/config/b.cpp:1: <toml++/...> is included by src/config/a.cpp already; "
                   "one file may")


class Limits(unittest.TestCase):
    def setUp(self):
        sources.need("ctags")

    def check(self, tree, *expected):
        self.assertEqual(findings("limits.py", tree), list(expected))

    def test_what_is_in_order_passes(self):
        self.check({"src/base/a.cpp": "constexpr int kLimit = 1;\nconst char* const kName = \"x\";\n"
                                      "static int twice(int x) {\n  static const int two = 2;\n"
                                      "  return two * x;\n}\n"})

    def test_long_files_and_functions(self):
        body = "  x += 1;\n" * 60
        self.check({"src/base/a.cpp": "\n" * 501,
                    "src/base/b.cpp": f"int longest(int x) {{\n{body}  return x;\n}}\n"},
                   "src/base/a.cpp:1: 501 lines; 500 at most",
                   "src/base/b.cpp:1: longest has 63 lines; 60 at most")

    def test_variables_that_live_on(self):
        self.check({"src/base/a.cpp": "namespace a {\nint count = 0;\n}\n",
                    "src/base/b.cpp": "int next() {\n  static int last = 0;\n  return ++last;\n}\n",
                    "src/base/c.cpp": "int next() {\n  thread_local int last;\n  return ++last;\n}\n"},
                   "src/base/b.cpp:2: a mutable variable of static storage",
                   "src/base/c.cpp:2: a mutable variable of static storage",
                   "src/base/a.cpp:2: count is a mutable variable outside functions")

    def test_conditional_code(self):
        self.check({"src/base/a.cpp": "#pragma once\n#ifdef __linux__\n#endif\n"},
                   "src/base/a.cpp:2: conditional code; choose a file in CMake instead")

    def test_notes_and_sleeps(self):
        note = "TO" + "DO"
        self.check({"src/base/a.cpp": f"// {note}: later\n",
                    "tests/base/a_test.cpp": "void f() { std::this_thread::sleep_for(1s); }\n"},
                   f"src/base/a.cpp:1: a note to self ({note}) belongs in an issue",
                   "tests/base/a_test.cpp:1: tests wait for events, not for time")

    def test_names_of_tests(self):
        self.check({"tests/wire/name_test.cpp": 'TEST_CASE("wire/name: a loop is refused") {}\n'
                                                'TEST_CASE("fault B35: a loop") {}\n'
                                                'TEST_CASE("loops") {}\n'},
                   'tests/wire/name_test.cpp:3: the name of a test begins "wire/file: "')


if __name__ == "__main__":
    unittest.main()
