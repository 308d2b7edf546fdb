/// The one way to ldns: its header defines bool, true and false as macros, which breaks C++.
/// Only the rooms text, dnssec and resolve, and tests, may include this.
#pragma once

#include <cstddef>
#include <memory>

#include <ldns/ldns.h>
#undef bool
#undef true
#undef false

#include "siskin/wire/name.hpp"

namespace siskin::text {

struct LdnsDelete {
  void operator()(ldns_pkt* p) const noexcept { ldns_pkt_free(p); }
  void operator()(ldns_rr* p) const noexcept { ldns_rr_free(p); }
  void operator()(ldns_rr_list* p) const noexcept { ldns_rr_list_deep_free(p); }
  void operator()(ldns_rdf* p) const noexcept { ldns_rdf_deep_free(p); }
  void operator()(ldns_buffer* p) const noexcept { ldns_buffer_free(p); }
};

template <class T>
using Ldns = std::unique_ptr<T, LdnsDelete>;

/// The octets of an rdf; they live as long as it does.
inline wire::Bytes bytes_of(const ldns_rdf& rdf) noexcept {
  return {ldns_rdf_data(&rdf), ldns_rdf_size(&rdf)};
}

}  // namespace siskin::text
