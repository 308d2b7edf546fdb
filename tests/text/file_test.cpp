/// Files replaced as a whole.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "siskin/text/file.hpp"
#include "support/catch.hpp"

namespace {

using namespace siskin;

/// A directory of its own, gone with what is in it at the end.
class Folder {
 public:
  Folder() {
    std::string path = std::filesystem::temp_directory_path() / "siskin-file-XXXXXX";
    REQUIRE(::mkdtemp(path.data()) != nullptr);
    path_ = path;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string at(const std::string& name) const { return path_ / name; }
  std::size_t size() const {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      files += entry.exists() ? 1U : 0U;
    }
    return files;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("text/file: a file is made and then replaced, and no draft stays") {
  const Folder folder;
  const std::string path = folder.at("state");
  REQUIRE(text::replace_file(path, "first, and longer than what follows\n"));
  CHECK(text::read_file(path, 100).value() == "first, and longer than what follows\n");
  REQUIRE(text::replace_file(path, "second\n"));
  CHECK(text::read_file(path, 100).value() == "second\n");
  CHECK(folder.size() == 1);
}

TEST_CASE("text/file: a draft that a crash left behind is no obstacle") {
  const Folder folder;
  const std::string path = folder.at("state");
  std::ofstream(path + ".new") << "half of something much longer than the text";
  REQUIRE(text::replace_file(path, "all\n"));
  CHECK(text::read_file(path, 100).value() == "all\n");
  CHECK(folder.size() == 1);
}

TEST_CASE("text/file: what cannot be written is told with its path and loses nothing") {
  const Folder folder;
  SECTION("the directory is not there") {
    const auto done = text::replace_file(folder.at("none/state"), "text\n");
    REQUIRE_FALSE(done);
    CHECK(done.error().code == Errc::io);
    CHECK(done.error().detail == folder.at("none/state.new") + ": No such file or directory");
  }
  SECTION("the name is a directory's") {
    const std::string path = folder.at("state");
    REQUIRE(std::filesystem::create_directory(path));
    const auto done = text::replace_file(path, "text\n");
    REQUIRE_FALSE(done);
    CHECK(done.error().detail == path + ".new: Is a directory");
    CHECK(std::filesystem::is_directory(path));
    CHECK(folder.size() == 1);
  }
  SECTION("the device is full") {
    // A draft that is a link to /dev/full takes the text and has no room for it.
    const std::string path = folder.at("state");
    REQUIRE(text::replace_file(path, "before\n"));
    REQUIRE(::symlink("/dev/full", (path + ".new").c_str()) == 0);
    const auto done = text::replace_file(path, "after\n");
    REQUIRE_FALSE(done);
    CHECK(done.error().detail == path + ".new: No space left on device");
    CHECK(text::read_file(path, 100).value() == "before\n");
    CHECK(folder.size() == 1);
  }
}
