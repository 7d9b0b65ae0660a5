// Files that appear whole or not at all: written aside in the same folder, then renamed over the target.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tendril::cli {

/// A file that cannot be read or written; `what()` names it and says why.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One output file. Nothing is seen at `path` until commit(); without it the aside copy is removed.
class AtomicFile {
 public:
  /// Opens the aside copy. A target that exists and is no regular file (a pipe, a device) is written directly.
  /// Throws FileError.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);  ///< throws FileError
  void commit();                      ///< flushes, closes, renames; throws FileError

 private:
  [[noreturn]] void fail(const std::string& doing, int error) const;
  std::string path_, aside_;
  std::FILE* file_ = nullptr;
  bool direct_ = false;
};

/// Writes a whole file at once. Throws FileError.
void writeWhole(const std::string& path, std::string_view text);

/// The folder with its parents, if it is not there yet. Throws FileError.
void makeFolder(const std::string& path);

/// Every byte of a file; "-" is standard input. Throws FileError.
std::string readWhole(const std::string& path);

}  // namespace tendril::cli
