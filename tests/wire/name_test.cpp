#include "siskin/wire/name.hpp"

#include "support/catch.hpp"
#include "wire/samples.hpp"

namespace siskin::wire::test {
namespace {

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

/// 255 octets: three labels of 63 and one of 61.
std::string longest_text() {
  return repeated(std::string(63, 'a') + '.', 3) + std::string(61, 'b') + '.';
}

TEST_CASE("wire/name: a long name is not shown whole to people", "[wire]") {
  CHECK(brief_text(Name::from_text("www.example.").value()) == "www.example.");
  const std::string label(28, 'a');
  CHECK(brief_text(Name::from_text(label + "." + label + ".b.").value()).size() == 60);
  CHECK(brief_text(Name::from_text(label + "." + label + ".bb.").value()) == "a long name");
}

}  // namespace

TEST_CASE("wire/name: a name is 256 octets and starts as the root", "[wire]") {
  CHECK(sizeof(Name) == 256);
  CHECK(to_hex(Name().wire()) == "00");
  CHECK(Name().is_root());
  CHECK(Name().to_text() == ".");
  CHECK(Name().label_count() == 0);
  CHECK(Name().first_label().empty());
  CHECK(Name().parent() == Name());
}

TEST_CASE("wire/name: presentation format becomes wire form", "[wire]") {
  struct Row {
    std::string_view text;
    std::string_view wire;
  };
  for (const Row& row : {
           Row{".", "00"},
           Row{"example", "07'example'00"},
           Row{"wWw.Example.COM.", "03'wWw'07'Example'03'COM'00"},
           Row{R"(a\.b.c)", "03'a.b'01'c'00"},
           Row{R"(\000\255\046.)", "03 00ff2e 00"},
           Row{R"(\\\"\ x)", "04'\\\" x'00"},
           Row{"a b", "03'a b'00"},
           Row{"_25._tcp.-x-", "03'_25'04'_tcp'03'-x-'00"},
           Row{R"(\.)", "01'.'00"},
       }) {
    CAPTURE(row.text);
    CHECK(to_hex(Name::from_text(row.text).value().wire()) == to_hex(from_hex(row.wire)));
  }
}

TEST_CASE("wire/name: text that is no name is refused with its reason", "[wire]") {
  struct Row {
    std::string text;
    Errc code;
    std::string_view reason;
  };
  const std::string label64(64, 'a');
  for (const Row& row : {
           Row{"", Errc::malformed, "empty; the root"},
           Row{"..", Errc::malformed, "empty label"},
           Row{".a", Errc::malformed, "empty label"},
           Row{"a..b", Errc::malformed, "empty label"},
           Row{"a..", Errc::malformed, "empty label"},
           Row{"a\\", Errc::malformed, "wrong escape"},
           Row{"a\\1", Errc::malformed, "wrong escape"},
           Row{"a\\12", Errc::malformed, "wrong escape"},
           Row{"a\\12x", Errc::malformed, "wrong escape"},
           Row{"a\\256", Errc::malformed, "wrong escape"},
           Row{label64, Errc::too_long, "label longer than 63 octets"},
           Row{"x." + label64 + ".y", Errc::too_long, "label longer than 63 octets"},
           Row{"c" + longest_text(), Errc::too_long, "label longer than 63 octets"},
           Row{"c." + longest_text(), Errc::too_long, "longer than 255 octets"},
           Row{longest_text() + "c", Errc::too_long, "longer than 255 octets"},
           Row{longest_text() + "c.", Errc::too_long, "longer than 255 octets"},
           Row{repeated("a.", 128), Errc::too_long, "longer than 255 octets"},
           Row{repeated("a.", 127) + "b", Errc::too_long, "longer than 255 octets"},
       }) {
    CAPTURE(row.text);
    const auto result = Name::from_text(row.text);
    REQUIRE(result.has_error());
    CHECK(result.error().code == row.code);
    CHECK(result.error().detail.find(row.reason) != std::string::npos);
  }
}

TEST_CASE("wire/name: the limits themselves are allowed", "[wire]") {
  const Name longest = name(longest_text());
  CHECK(longest.size() == 255);
  CHECK(longest.to_text() == longest_text());
  CHECK(name(std::string_view(longest_text()).substr(0, longest_text().size() - 1)) == longest);
  const Name most = name(repeated("a.", 127));
  CHECK(most.size() == 255);
  CHECK(most.label_count() == kLabelsMax);
  CHECK(most.suffix(126).size() == 253);
}

TEST_CASE("wire/name: only whole uncompressed names are wire form", "[wire]") {
  for (const auto* good : {"00", "01'a'00", "03'www'07'example'00", "01 00 00"}) {
    CAPTURE(good);
    const Octets octets = from_hex(good);
    CHECK(name_size(octets) == octets.size());
    CHECK(to_hex(Name::from_wire(octets).value().wire()) == to_hex(octets));
  }
  for (const auto* bad : {"", "01", "01'a'", "02'a'00", "c00c", "01'a'c00c", "40 00", "80 00",
                          "01'a'00 00", "00 00", "01'a'00 ff"}) {
    CAPTURE(bad);
    CHECK(Name::from_wire(from_hex(bad)).has_error());
  }
  CHECK(name_size(from_hex("01'a'00 ff")) == 3);
  const Octets labels(254, 0x01);
  CHECK(name_size(labels + from_hex("00")) == 255);
  CHECK(name_size(labels + from_hex("0101 00")) == 0);
}

TEST_CASE("wire/name: unprintable and special octets are escaped in text", "[wire]") {
  const auto text = [](std::string_view hex) {
    return Name::from_wire(from_hex(hex)).value().to_text();
  };
  CHECK(text("03 002eff 00") == R"(\000\.\255.)");
  CHECK(text("08 22 28 29 3b 40 24 5c 20 00") == R"(\"\(\)\;\@\$\\\032.)");
  CHECK(text("03 7e 7f 0a 00") == R"(~\127\010.)");
  Draw draw(1);
  for (int i = 0; i < 2000; ++i) {
    const Name drawn = draw.any_name(12);
    REQUIRE(to_hex(Name::from_text(drawn.to_text()).value().wire()) == to_hex(drawn.wire()));
  }
}

TEST_CASE("wire/name: letter case does not count when names are compared", "[wire]") {
  CHECK(name("WWW.example") == name("www.EXAMPLE"));
  CHECK(name("a") != name("b"));
  CHECK(name("a.b") != name(R"(a\.b)"));
  CHECK(name("@[`{") != name("`{@["));  // neighbours of the letters are no letters
  CHECK(name(R"(\193)") != name(R"(\225)"));
  CHECK_FALSE(name("A") < name("a"));
  CHECK_FALSE(name("a") < name("A"));
  CHECK((name("a") < name("B")) != (name("B") < name("a")));
  CHECK(name("A") < name("b"));
  CHECK(Name() < name("a"));
}

TEST_CASE("wire/name: two octets are equal as their lowered forms are, wherever", "[wire]") {
  for (const std::size_t size : {1U, 7U, 8U, 9U, 16U, 21U}) {
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      Octets a(size, 'x');
      Octets b(size, 'X');
      for (unsigned pair = 0; pair <= 0xffff; ++pair) {
        a[at] = static_cast<std::uint8_t>(pair >> 8);
        b[at] = static_cast<std::uint8_t>(pair);
        if (equal_names(a, b) != (to_lower(a[at]) == to_lower(b[at]))) FAIL(size << ' ' << pair);
      }
    }
  }
  CHECK(equal_names({}, {}));
  CHECK_FALSE(equal_names(from_hex("00"), {}));
}

TEST_CASE("wire/name: labels are counted and taken off from the left", "[wire]") {
  const Name www = name("www.a-b.Example.");
  CHECK(www.label_count() == 3);
  CHECK(to_hex(www.first_label()) == to_hex(octets_of("www")));
  CHECK(www.parent().to_text() == "a-b.Example.");
  CHECK(name("example").parent().is_root());
  CHECK(www.suffix(0).is_root());
  CHECK(www.suffix(1).to_text() == "Example.");
  CHECK(www.suffix(2).to_text() == "a-b.Example.");
  CHECK(www.suffix(3).to_text() == "www.a-b.Example.");
  CHECK(www.suffix(99).to_text() == "www.a-b.Example.");
}

TEST_CASE("wire/name: below means by whole labels", "[wire]") {
  struct Row {
    std::string_view name;
    std::string_view ancestor;
    bool at_or_below;
  };
  for (const Row& row : {
           Row{"example", ".", true},
           Row{"www.EXAMPLE", "example", true},
           Row{"a.b.example", "b.Example", true},
           Row{"example", "www.example", false},
           Row{"badexample", "example", false},
           Row{"www.example", "ww.example", false},
           Row{R"(x\007example)", "example", false},  // its octets end like the ancestor's
           Row{".", "example", false},
       }) {
    CAPTURE(row.name, row.ancestor);
    CHECK(name(row.name).is_at_or_below(name(row.ancestor)) == row.at_or_below);
    CHECK(name(row.name).is_below(name(row.ancestor)) == row.at_or_below);
  }
  CHECK(name("example").is_at_or_below(name("EXAMPLE")));
  CHECK_FALSE(name("example").is_below(name("EXAMPLE")));
  CHECK(Name().is_at_or_below(Name()));
  CHECK_FALSE(Name().is_below(Name()));
}

TEST_CASE("wire/name: DNAME substitution follows the table of RFC 6672 §2.2", "[wire]") {
  struct Row {
    std::string_view qname;
    std::string_view owner;
    std::string_view target;
    std::string_view result;  // empty: none
  };
  for (const Row& row : {
           Row{"com.", "example.com.", "example.net.", ""},
           Row{"example.com.", "example.com.", "example.net.", ""},
           Row{"a.example.com.", "example.com.", "example.net.", "a.example.net."},
           Row{"a.b.example.com.", "example.com.", "example.net.", "a.b.example.net."},
           Row{"ab.example.com.", "b.example.com.", "example.net.", ""},
           Row{"foo.example.com.", "example.com.", "example.net.", "foo.example.net."},
           Row{"a.x.example.com.", "x.example.com.", "example.net.", "a.example.net."},
           Row{"a.example.com.", "example.com.", "y.example.net.", "a.y.example.net."},
           Row{"cyc.example.com.", "example.com.", "example.com.", "cyc.example.com."},
           Row{"shortloop.x.x.", "x.", ".", "shortloop.x."},
           Row{"shortloop.x.", "x.", ".", "shortloop."},
           Row{"A.Example.", ".", "net.", "A.Example.net."},
       }) {
    CAPTURE(row.qname);
    const auto result = name(row.qname).substitute(name(row.owner), name(row.target));
    CHECK((result ? result->to_text() : "") == row.result);
  }
}

TEST_CASE("wire/name: a substitution may fill 255 octets and no more", "[wire]") {
  const Name target = name(longest_text()).parent();  // 191 octets
  const auto grown = [&](std::size_t label) {
    return name(std::string(label, 'x') + ".from").substitute(name("from"), target);
  };
  REQUIRE(target.size() == 191);
  REQUIRE(grown(63));
  CHECK(grown(63)->size() == 255);
  CHECK_FALSE(name("y." + std::string(62, 'x') + ".from").substitute(name("from"), target));
}

TEST_CASE("wire/name: a label is put in front", "[wire]") {
  CHECK(name("example").with_label(octets_of("a.b"))->to_text() == R"(a\.b.example.)");
  CHECK_FALSE(name("example").with_label({}));
  CHECK(Name().with_label(Octets(63, 'a'))->size() == 65);
  CHECK_FALSE(Name().with_label(Octets(64, 'a')));
  CHECK_FALSE(name(longest_text()).with_label(octets_of("a")));
  CHECK(name(longest_text()).parent().with_label(Octets(63, 'a'))->size() == 255);
}

TEST_CASE("wire/name: lowering touches letters alone", "[wire]") {
  CHECK(name(R"(A\193Z@[.EXAMPLE)").lowered().to_text() == R"(a\193z\@[.example.)");
}

TEST_CASE("wire/name: the case of the i-th letter follows the i-th bit", "[wire]") {
  Name mixed = name("www.1-2.exa-mple");
  mixed.randomise_case(from_hex("05 01"));  // letters 0, 2 and 8
  CHECK(mixed.to_text() == "WwW.1-2.exa-mpLe.");
  mixed.randomise_case(from_hex("05 01"));
  CHECK(mixed.to_text() == "www.1-2.exa-mple.");
  mixed.randomise_case(from_hex("ff"));  // letters beyond the stream stay
  CHECK(mixed.to_text() == "WWW.1-2.EXA-MPle.");
  mixed.randomise_case({});
  CHECK(mixed.to_text() == "WWW.1-2.EXA-MPle.");
}

}  // namespace siskin::wire::test
