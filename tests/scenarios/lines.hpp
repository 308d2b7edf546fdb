/// A scenario file as a sequence of lines, and its errors.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace siskin::scenarios {

/// What is wrong with a file: "FILE:LINE: what was expected".
class ScriptError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The words of a text: separated by blanks, or in double quotes, which are taken off.
std::vector<std::string> words_of(std::string_view text);

/// Goes forward over the lines that hold something.
class Lines {
 public:
  /// How lines whose first character is '#' are read; `;` begins a comment everywhere.
  enum class Hash { is_text, is_comment };

  Lines(std::string_view text, std::string path);

  /// To the next line that is not empty without its comment; false at the end of the file.
  bool next(Hash hash = Hash::is_comment);

  /// The line without comment and blanks around; of the last next().
  const std::string& text() const noexcept { return text_; }
  /// It began with a blank.
  bool is_indented() const noexcept { return is_indented_; }
  std::vector<std::string> words() const { return words_of(text_); }
  std::size_t number() const noexcept { return number_; }
  const std::string& path() const noexcept { return path_; }

  /// Throws ScriptError about the current line.
  [[noreturn]] void fail(const std::string& what) const;
  /// ... or about an earlier one.
  [[noreturn]] void fail_at(std::size_t line, const std::string& what) const;

 private:
  std::vector<std::string> lines_;
  std::string path_;
  std::string text_;
  bool is_indented_ = false;
  std::size_t number_ = 0;
};

}  // namespace siskin::scenarios
