// The aside copy is a hidden file beside the target, with the process number in its name so that two runs never share
// it.
#include "cli/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tendril::cli {

namespace fs = std::filesystem;

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) fail("write", EISDIR);
  direct_ = fs::exists(status) && !fs::is_regular_file(status);
  // A link is followed, so that renaming replaces the file it names and not the link.
  if (fs::is_symlink(fs::symlink_status(path, ignored))) {
    const fs::path real = fs::weakly_canonical(path, ignored);
    if (!ignored && !real.empty()) path_ = real.string();
  }
  const fs::path target(path_);
  const std::string hidden = "." + target.filename().string() + "." + std::to_string(::getpid()) + ".part";
  aside_ = direct_ ? path_ : (target.parent_path() / hidden).string();
  file_ = std::fopen(aside_.c_str(), "wb");
  if (!file_) fail("write", errno);
}

AtomicFile::~AtomicFile() {
  if (!file_) return;
  std::fclose(file_);
  if (!direct_) ::unlink(aside_.c_str());
}

void AtomicFile::fail(const std::string& doing, int error) const {
  throw FileError("cannot " + doing + " " + path_ + ": " + std::strerror(error));
}

void AtomicFile::write(std::string_view text) {
  if (text.empty()) return;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("write", errno);
}

void AtomicFile::commit() {
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) {
    const int error = errno;
    if (!direct_) ::unlink(aside_.c_str());
    fail("write", error);
  }
  if (!direct_ && std::rename(aside_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    ::unlink(aside_.c_str());
    fail("write", error);
  }
}

void writeWhole(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void makeFolder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && !fs::is_directory(path, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw FileError("cannot make the folder " + path + ": " + error.message());
}

std::string readWhole(const std::string& path) {
  const bool standardInput = path == "-";
  std::FILE* file = standardInput ? stdin : std::fopen(path.c_str(), "rb");
  const auto fail = [&](int error) {
    throw FileError("cannot read " + (standardInput ? std::string("standard input") : path) + ": " +
                    std::strerror(error));
  };
  if (!file) fail(errno);
  std::string text;
  char buffer[65536];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, count);
  const int error = std::ferror(file) ? errno : 0;
  if (!standardInput) std::fclose(file);
  if (error) fail(error);
  return text;
}

}  // namespace tendril::cli
