// Files that appear whole or not at all: written aside in the same folder, then renamed over the target.
#pragma once

#include <cstddef>
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
  /// What becomes of it where the program is ended within a step (keepAll): nothing is seen; what was written is seen,
  /// as after commit(); or, besides, a file of that name from before goes, which would belong to other results.
  enum class WhenCut { drop, keep, dropOld };

  /// Opens the aside copy. A target that exists and is no regular file (a pipe, a device) is written directly.
  /// Throws FileError.
  explicit AtomicFile(const std::string& path, WhenCut whenCut = WhenCut::drop);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// A piece that is whole by itself, such as a row. Throws FileError; the file then ends with an earlier whole piece,
  /// and takes no more.
  void write(std::string_view piece);
  /// Instead of everything written so far. Throws FileError.
  void rewrite(std::string_view text);
  /// Writes the rest, closes, renames. Throws FileError; where the rest did not fit, it may be tried again.
  void commit();
  /// The same of what has been written already, without the rest. Throws FileError where nothing whole was.
  void commitWritten();

  /// Ends all files that are open, as they ask for. Does only what a signal handler may do.
  static void keepAll();

 private:
  [[noreturn]] void fail(const std::string& doing, int error) const;
  int flush();      // errno or 0; the file then ends as before
  int put() const;  // the buffer to the file: errno or 0
  void close();
  std::string path_, aside_, buffer_;
  WhenCut whenCut_;
  int file_ = -1;
  long long whole_ = 0;  // bytes of whole pieces in the file
  int error_ = 0;        // why it takes no more
  bool direct_ = false;
};

/// Writes a whole file at once. Throws FileError.
void writeWhole(const std::string& path, std::string_view text);

/// The folder with its parents, if it is not there yet. Throws FileError.
void makeFolder(const std::string& path);

/// Every byte of a file; "-" is standard input. Reads no more than `limit` bytes: what is longer is refused.
/// Throws FileError.
std::string readWhole(const std::string& path, std::size_t limit);

}  // namespace tendril::cli
