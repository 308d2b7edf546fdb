/// Replies and delegations as one line of text, so that tables can say what they expect.
#pragma once

#include "resolve/classify.hpp"
#include "resolve/samples.hpp"

namespace siskin::resolve::test {

inline std::string_view word(ReplyKind kind) {
  switch (kind) {
    case ReplyKind::answer: return "answer";
    case ReplyKind::alias: return "alias";
    case ReplyKind::referral: return "referral";
    case ReplyKind::nodata: return "nodata";
    case ReplyKind::nxdomain: return "nxdomain";
    case ReplyKind::yxdomain: return "yxdomain";
    case ReplyKind::lame: return "lame";
    case ReplyKind::broken: return "broken";
  }
  return "no kind at all";
}

/// "example. 60: ns.example. 192.0.2.1 2001:db8::1, n2.example."
inline std::string describe(const Delegation& delegation) {
  std::string text = delegation.zone.to_text() + " " + std::to_string(delegation.ttl);
  std::string_view before = ": ";
  for (const ZoneServer& server : delegation.servers) {
    text += std::string(before) + server.name.to_text();
    for (const IpAddress& address : server.addresses) text += " " + address.to_text();
    before = ", ";
  }
  return text;
}

/// "answer | a. -> b. | c.b. =b.=> c.d. | c.d. 60 IN A 192.0.2.1": aliases (with the DNAME's owner
/// where there is one), then the set (before it "by " and the DNAME that made it), "no: " and the
/// denial, "to: " and the delegation, the complaint.
inline std::string describe(const Reply& reply) {
  std::string text(word(reply.kind));
  for (const Alias& alias : reply.aliases) {
    const std::string arrow =
        alias.dname ? " =" + alias.dname->owner.to_text() + "=> " : std::string(" -> ");
    text += " | " + alias.cname.owner.to_text() + arrow + alias.target.to_text();
  }
  if (reply.dname) text += " | by " + reply.dname->owner.to_text();
  if (reply.set) text += " | " + text_of(*reply.set);
  if (!reply.denial.empty()) text += " | no:";
  for (const RRset& set : reply.denial) {
    text += " " + set.owner.to_text() + " " + to_string(set.type);
  }
  if (reply.delegation) text += " | to: " + describe(*reply.delegation);
  if (!reply.complaint.empty()) text += " | " + reply.complaint;
  return text;
}

/// One row of a table: a server of `zone` was asked for `question` ("www.example. A") and said
/// this.
struct Said {
  std::string_view what;
  std::string_view zone;
  std::string_view question;
  std::string_view flags;  ///< "aa", "ra", or both
  wire::Rcode rcode = wire::Rcode::noerror;
  std::string_view answer;  ///< zone text, as the other two
  std::string_view authority;
  std::string_view additional;
  std::string_view meant;  ///< describe()
};

inline Reply reply_to(const Said& said, std::size_t names_max = 20) {
  Message message;
  message.rcode = said.rcode;
  message.authoritative = said.flags.find("aa") != std::string_view::npos;
  message.recursion_available = said.flags.find("ra") != std::string_view::npos;
  message.answer = sets(said.answer);
  message.authority = sets(said.authority);
  message.additional = sets(said.additional);
  const std::size_t space = said.question.find(' ');
  const wire::Name qname = name(said.question.substr(0, space));
  const wire::Name zone = name(said.zone);
  const RRType type = wire::rrtype_from_text(said.question.substr(space + 1)).value();
  return classify(message, {qname, type, zone}, names_max);
}

}  // namespace siskin::resolve::test
