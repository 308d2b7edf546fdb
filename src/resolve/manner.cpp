#include "resolve/manner.hpp"

namespace siskin::resolve {
namespace {

using runtime::Transport;
using wire::Rcode;

bool is_edns_trouble(Rcode rcode) {
  return rcode == Rcode::formerr || rcode == Rcode::notimp || rcode == Rcode::badvers;
}

/// Some servers say FORMERR to options that they do not know (fault B79), some REFUSED to clients
/// of others.
bool is_option_trouble(const Heard& heard) {
  const Rcode rcode = heard.message.rcode;
  if (heard.question.subnet) return is_edns_trouble(rcode) || rcode == Rcode::refused;
  return heard.question.cookie && !heard.filter.cookie() && is_edns_trouble(rcode);
}

/// RFC 7873 §5.3: once again with the server's new cookie, then over TCP, then without.
Manner after_bad_cookie(const Heard& heard) {
  Manner manner = heard.manner;
  if (!manner.is_udp()) {
    manner.cookie = false;
  } else if (heard.filter.cookie() && !manner.has_new_cookie) {
    manner.has_new_cookie = true;
  } else {
    manner.transport = Transport::tcp;
  }
  return manner;
}

Manner without_options(const Heard& heard) {
  Manner manner = heard.manner;
  manner.subnet = false;
  manner.cookie = false;
  return manner;
}

/// Where EDNS is known to work the error may be forged, and EDNS is not given up for it (fault A7).
Manner without_edns(const Heard& heard, const Quirks& quirks) {
  Manner manner = heard.manner;
  if (manner.is_udp() && quirks.has_edns(heard.now)) {
    manner.transport = Transport::tcp;
  } else {
    manner.edns = false;
    manner.lost_edns = true;
  }
  return manner;
}

/// REFUSED mostly means that a server is lame: that costs it the cookie, but not another question.
void learn_cookie(const Heard& heard, Quirks& quirks) {
  if (heard.filter.cookie()) {
    if (heard.manner.is_udp()) quirks.hid_no_cookie();
    return quirks.showed_cookie(*heard.filter.cookie(), heard.now);
  }
  if (!heard.question.cookie) return;
  const Rcode rcode = heard.message.rcode;
  if (!heard.manner.is_udp()) quirks.has_no_cookie();
  if (is_usable(rcode)) quirks.took_cookie(heard.now);
  if (is_edns_trouble(rcode) || rcode == Rcode::refused) quirks.choked_on_cookie(heard.now);
}

void learn_edns(const Heard& heard, Quirks& quirks) {
  if (!is_usable(heard.message.rcode)) return;
  if (heard.question.edns && heard.message.edns) quirks.answered_with_edns(heard.now);
  if (heard.manner.lost_edns) quirks.answered_only_without_edns(heard.now);
}

}  // namespace

bool is_usable(Rcode rcode) noexcept {
  return rcode == Rcode::noerror || rcode == Rcode::nxdomain || rcode == Rcode::yxdomain;
}

void learn(const Heard& heard, Quirks& quirks) {
  learn_cookie(heard, quirks);
  learn_edns(heard, quirks);
  if (!heard.manner.is_udp()) return;
  quirks.calm();
  if (heard.message.truncated) {
    quirks.truncated(heard.now);
  } else {
    quirks.fitted();
  }
}

std::optional<Manner> next_manner(const Heard& heard, const Quirks& quirks) {
  if (heard.message.rcode == Rcode::badcookie && heard.question.cookie) {
    return after_bad_cookie(heard);
  }
  if (is_option_trouble(heard)) return without_options(heard);
  if (heard.question.edns && is_edns_trouble(heard.message.rcode)) {
    return without_edns(heard, quirks);
  }
  if (heard.message.truncated && heard.manner.is_udp()) {
    Manner manner = heard.manner;
    manner.transport = Transport::tcp;
    return manner;
  }
  return std::nullopt;
}

}  // namespace siskin::resolve
