#include "siskin/dnssec/anchors.hpp"

#include "support/catch.hpp"

namespace siskin::dnssec {
namespace {

std::string error_of(std::string_view text) {
  const auto anchors = parse_trust_anchors(text, "keys");
  return anchors ? "none" : anchors.error().detail;
}

TEST_CASE("dnssec/anchors: DS and DNSKEY records of several zones are read", "[dnssec]") {
  const auto anchors = parse_trust_anchors(
      "; comment\n"
      ". IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D\n"
      "lab. 3600 IN DNSKEY 257 3 13 "
      "mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==\n"
      ". DS 38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16\n",
      "keys");
  REQUIRE(anchors);
  REQUIRE(anchors->size() == 2);
  CHECK((*anchors)[0].zone.is_root());
  CHECK((*anchors)[0].ds == root_anchor().ds);
  CHECK((*anchors)[0].dnskey.empty());
  CHECK((*anchors)[1].zone == *wire::Name::from_text("lab."));
  REQUIRE((*anchors)[1].dnskey.size() == 1);
  CHECK(key_tag((*anchors)[1].dnskey.front()) == 2371);
}

TEST_CASE("dnssec/anchors: what is no anchor is an error with its line", "[dnssec]") {
  CHECK(error_of("") == "keys: no record, a DS or DNSKEY was expected");
  CHECK(error_of("; nothing\n") == "keys: no record, a DS or DNSKEY was expected");
  CHECK(error_of("\n. A 192.0.2.1\n") ==
        "keys:2: A is no trust anchor, a DS or DNSKEY was expected");
  CHECK(error_of(". DNSKEY 1 3 13 AAAA\n") ==
        "keys:1: this DNSKEY is no zone key: flags 257, protocol 3 were expected");
  CHECK(error_of(". DNSKEY 257 2 13 AAAA\n") ==
        "keys:1: this DNSKEY is no zone key: flags 257, protocol 3 were expected");
  CHECK(error_of(". DNSKEY 385 3 13 AAAA\n") == "keys:1: key 1166 is revoked");
  CHECK(error_of("\n. DS 20326 8 2 E06D\n") == "keys:2: a digest of 2 octets, 32 were expected");
  CHECK(error_of(". DS x 8 2 E06D\n").starts_with("keys:1: "));
  std::string many;
  for (std::size_t i = 0; i <= kAnchorsMax; ++i) many += ". DS 1 8 2 AABB\n";
  CHECK(error_of(many) == "keys: over 1024 records");
}

TEST_CASE("dnssec/anchors: a file that is not there is named", "[dnssec]") {
  const auto anchors = read_trust_anchors("/no/such/keys");
  REQUIRE(!anchors);
  CHECK(anchors.error().detail == "/no/such/keys: No such file or directory");
}

}  // namespace
}  // namespace siskin::dnssec
