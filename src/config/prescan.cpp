#include "config/prescan.hpp"

#include <algorithm>

namespace siskin::config {
namespace {

constexpr unsigned kDotsPerLine = 32;  // a key has one dot, a list of numbers some dozen
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_ascii(char octet) {
  return static_cast<unsigned char>(octet) < 0x80;
}

bool is_continuation(char octet) {
  return (static_cast<unsigned char>(octet) & 0xC0U) == 0x80U;
}

/// Follows strings and comments as long as the text is valid; where it is not, the parser that
/// comes next stops as well, so the scan may end there.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) offset_ = kByteOrderMark.size();
  }

  std::optional<SyntaxError> run() {
    while (offset_ < text_.size() && !error_ && !lost_) step();
    return error_;
  }

 private:
  void step() {
    const char c = text_[offset_];
    if (c == '#') {
      skip_comment();
    } else if (c == '"' || c == '\'') {
      skip_string(c);
    } else if (c == '.' && ++dots_ > kDotsPerLine) {
      refuse("too many dots, section.key or [section] expected");
    } else {
      advance();
    }
  }

  void skip_comment() {
    in_comment_ = true;
    while (offset_ < text_.size() && text_[offset_] != '\n' && !error_) advance();
    in_comment_ = false;
  }

  void skip_string(char quote) {
    const bool is_long = text_.substr(offset_).starts_with(std::string(3, quote));
    advance(is_long ? 3 : 1);
    while (offset_ < text_.size() && !error_) {
      const char c = text_[offset_];
      if (c == quote && (!is_long || quotes_here(quote) >= 3)) {
        return advance(is_long ? quotes_here(quote) : 1);
      }
      if (c == '\n' && !is_long) break;
      const bool escapes = c == '\\' && quote == '"';
      advance(escapes ? 2 : 1);
    }
    lost_ = true;
  }

  /// At most five: a long string may end in two quotes of its own before the closing three.
  std::size_t quotes_here(char quote) const {
    std::size_t n = 0;
    while (n < 5 && offset_ + n < text_.size() && text_[offset_ + n] == quote) ++n;
    return n;
  }

  void advance(std::size_t octets) {
    for (; octets > 0 && offset_ < text_.size() && !error_; --octets) advance();
  }

  void advance() {
    const char c = text_[offset_++];
    if (c == '\0') return refuse("a NUL byte, text expected");
    if (!is_ascii(c) && !in_comment_) {
      return refuse("a character outside ASCII, its escape (\\u00E9) in double quotes expected");
    }
    if (c == '\n') {
      ++at_.line;
      at_.column = 1;
      dots_ = 0;
    } else if (!is_continuation(c)) {
      ++at_.column;
    }
  }

  void refuse(const char* message) {
    if (!error_) error_ = SyntaxError{at_, message};
  }

  std::string_view text_;
  std::size_t offset_ = 0;
  Position at_{1, 1};
  unsigned dots_ = 0;
  bool in_comment_ = false;
  bool lost_ = false;
  std::optional<SyntaxError> error_;
};

}  // namespace

std::optional<SyntaxError> prescan(std::string_view text) {
  return Scanner(text).run();
}

}  // namespace siskin::config
