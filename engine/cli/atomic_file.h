// Files that appear whole or not at all: written aside in the same folder, then renamed over the target.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tendril::cli {

/// A file that cannot be read or written; `what()` names it and says why.
class FileError : public std::runtime_error {
 public:
  explicit FileError(const std::string& what, int error = 0) : std::runtime_error(what), error_(error) {}
  /// The file system is full, or what one may have of it.
  bool noRoom() const;

 private:
  int error_;  // errno
};

/// One output file. Nothing is seen at `path` until commit(); without it the aside copy is removed.
class AtomicFile {
 public:
  /// What becomes of it where the program is ended within a step (keepAll): nothing is seen; what was written is seen,
  /// as after commit(); or, besides, a file of that name from before goes, which would belong to other results.
  enum class WhenCut { drop, keep, dropOld };

  /// Opens the aside copy. A target that exists and is no regular file (a pipe, a device), or is an open file of
  /// this process (/dev/stdout), is written directly.
  /// Throws FileError.
  explicit AtomicFile(const std::string& path, WhenCut whenCut = WhenCut::drop);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// A piece that is whole by itself, such as a row. Throws FileError; the file then ends with the last piece that
  /// fits, and takes no more.
  void write(std::string_view piece);
  /// Takes room for a text that rewrite() will bring, in the place of what was written so far. Throws FileError.
  void reserve(std::size_t bytes);
  /// Gives up the newest pieces, to make room for other files, and takes no more. False: nothing was left to give up.
  bool dropLast();
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
  int flush();                       // errno or 0; the file then ends with the last piece that fits
  int put(std::size_t& done) const;  // so many bytes of the buffer to the file: errno or 0
  void close();
  std::string path_, aside_, buffer_;
  WhenCut whenCut_;
  int file_ = -1;
  std::vector<std::size_t> ends_;   // of the pieces in the buffer
  std::vector<long long> flushes_;  // where the file ended before each of them
  long long whole_ = 0;             // bytes of whole pieces in the file
  int error_ = 0;                   // why it takes no more
  int failed_ = 0;                  // why the rest did not fit
  bool direct_ = false;
};

/// Writes a whole file at once. Throws FileError.
void writeWhole(const std::string& path, std::string_view text);

/// The folder with its parents, if it is not there yet. Throws FileError.
void makeFolder(const std::string& path);

/// Every byte of a file; "-" is standard input. Reads no more than `limit` bytes: what is longer is refused. `waiting`
/// is called while it reads, also where nothing comes; what it throws passes through. Throws FileError.
std::string readWhole(const std::string& path, std::size_t limit, const std::function<void()>& waiting = {});

}  // namespace tendril::cli
