// Files that appear completely or not at all: written to a temporary copy in the same folder, then renamed to the
// target.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tendril::cli {

/// A file that cannot be read or written; `what()` names it and the reason.
class FileError : public std::runtime_error {
 public:
  explicit FileError(const std::string& what, int error = 0) : std::runtime_error(what), error_(error) {}
  /// The file system or the user's quota is full.
  bool noRoom() const;

 private:
  int error_;  // errno
};

/// One output file. `path` does not change until commit(); without it the temporary copy is removed.
class AtomicFile {
 public:
  /// What happens to the file when the program is ended within a step (keepAll): it is dropped; what was written is
  /// kept, as after commit(); or it is dropped together with an earlier file of that name, which would belong to other
  /// results.
  enum class WhenCut { drop, keep, dropOld };

  /// Opens the temporary copy. A target that exists and is not a regular file (a pipe, a device), or is an open file of
  /// this process (/dev/stdout), is written directly. Throws FileError.
  explicit AtomicFile(const std::string& path, WhenCut whenCut = WhenCut::drop);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Writes a piece that is complete by itself, such as a row. Throws FileError; the file then ends with the last piece
  /// that fits, and accepts no more.
  void write(std::string_view piece);
  /// Reserves space for a text that rewrite() will write over everything so far. Throws FileError.
  void reserve(std::size_t bytes);
  /// Drops the newest pieces, to make room for other files, and accepts no more. False: nothing was left to drop.
  bool dropLast();
  /// Replaces everything written so far. Throws FileError.
  void rewrite(std::string_view text);
  /// Writes the rest, closes, renames. Throws FileError; if the rest did not fit, commit() may be called again.
  void commit();
  /// The same for what has already been written, without the rest. Throws FileError if no complete piece was.
  void commitWritten();

  /// Finishes all open files, each according to its WhenCut. Async-signal-safe.
  static void keepAll();

 private:
  [[noreturn]] void fail(const std::string& doing, int error) const;
  int flush();                       // errno or 0; the file then ends with the last piece that fits
  int put(std::size_t& done) const;  // writes that many bytes of the buffer to the file: errno or 0
  void close();
  std::string path_, aside_, buffer_;
  WhenCut whenCut_;
  int file_ = -1;
  std::vector<std::size_t> ends_;   // of the pieces in the buffer
  std::vector<long long> flushes_;  // end of the file before each of them
  long long whole_ = 0;             // bytes of whole pieces in the file
  int error_ = 0;                   // why it accepts no more
  int failed_ = 0;                  // why the rest did not fit
  bool direct_ = false;
};

/// Writes a whole file at once. Throws FileError.
void writeWhole(const std::string& path, std::string_view text);

/// Creates the folder with its parents, if it does not exist. Throws FileError.
void makeFolder(const std::string& path);

/// Every byte of a file; "-" is standard input. Reads at most `limit` bytes and refuses more. `waiting` is called while
/// it reads, even if no data arrives; its exceptions pass through. Throws FileError.
std::string readWhole(const std::string& path, std::size_t limit, const std::function<void()>& waiting = {});

}  // namespace tendril::cli
