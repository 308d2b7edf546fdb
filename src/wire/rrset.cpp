#include "siskin/wire/rrset.hpp"

#include <algorithm>

#include "siskin/base/check.hpp"

namespace siskin::wire {

void RecordList::add(Bytes rdata) {
  SISKIN_CHECK(rdata.size() <= 0xffff);
  bytes_.push_back(static_cast<std::uint8_t>(rdata.size() >> 8));
  bytes_.push_back(static_cast<std::uint8_t>(rdata.size()));
  bytes_.insert(bytes_.end(), rdata.begin(), rdata.end());
  ++count_;
}

void RecordList::add_unique(Bytes rdata) {
  if (!contains(rdata)) add(rdata);
}

bool RecordList::contains(Bytes rdata) const noexcept {
  return std::any_of(begin(), end(),
                     [rdata](Bytes held) { return std::ranges::equal(held, rdata); });
}

}  // namespace siskin::wire
