// The temporary copies are named and removed by cli/part_files. A table of plain pointers to a few open files lets a
// signal handler finish them.
#include "cli/atomic_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/interrupt.h"
#include "cli/part_files.h"

namespace tendril::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t bufferSize = 1 << 14;

std::array<AtomicFile*, 16> openFiles = {};  // if there are more, they are dropped when the program is interrupted
volatile std::sig_atomic_t changing = 0;     // a file or the table is being changed

/// The descriptor for a path that names an open file of this process, which must be written in place; else -1.
int descriptorOf(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.compare(0, folder.size(), folder) != 0) continue;
    const std::string number = path.substr(folder.size());
    const bool digits =
        !number.empty() && number.size() < 6 && number.find_first_not_of("0123456789") == std::string::npos;
    if (digits) return std::atoi(number.c_str());
  }
  return -1;
}

struct Changing {
  Changing() { changing = changing + 1; }
  ~Changing() { changing = changing - 1; }
};

}  // namespace

bool FileError::noRoom() const { return error_ == ENOSPC || error_ == EDQUOT; }

AtomicFile::AtomicFile(const std::string& path, WhenCut whenCut) : path_(path), whenCut_(whenCut) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) fail("write", EISDIR);
  const int descriptor = descriptorOf(path);
  direct_ = descriptor >= 0 || (fs::exists(status) && !fs::is_regular_file(status));
  // Symbolic links are followed, so that renaming replaces the target and not the link.
  if (descriptor < 0 && fs::is_symlink(fs::symlink_status(path, ignored))) {
    const fs::path real = fs::weakly_canonical(path, ignored);
    if (!ignored && !real.empty()) path_ = real.string();
  }
  aside_ = direct_ ? path_ : partName(path_);
  const Changing now;
  if (descriptor >= 0) std::fflush(nullptr);  // earlier output comes first
  file_ = descriptor >= 0 ? ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
          : direct_       ? ::open(aside_.c_str(), O_WRONLY | O_CLOEXEC)
                          : openPart(aside_);
  if (file_ < 0) fail("write", errno);
  struct stat before = {};  // permissions are preserved
  if (!direct_ && ::stat(path_.c_str(), &before) == 0) ::fchmod(file_, before.st_mode & 07777);
  for (AtomicFile*& slot : openFiles) {
    if (slot) continue;
    slot = this;
    break;
  }
}

AtomicFile::~AtomicFile() {
  if (file_ < 0) return;
  const Changing now;
  if (!direct_) ::unlink(aside_.c_str());
  close();
}

void AtomicFile::close() {
  for (AtomicFile*& slot : openFiles)
    if (slot == this) slot = nullptr;
  ::close(file_);
  file_ = -1;
}

void AtomicFile::fail(const std::string& doing, int error) const {
  throw FileError("cannot " + doing + " " + path_ + ": " + std::strerror(error), error);
}

void AtomicFile::write(std::string_view piece) {
  if (error_ != 0 || piece.empty()) return;
  const Changing now;
  buffer_ += piece;
  ends_.push_back(buffer_.size());
  if (buffer_.size() < bufferSize) return;
  error_ = flush();
  if (error_ == 0) return;
  buffer_.clear();
  ends_.clear();
  fail("write", error_);
}

void AtomicFile::rewrite(std::string_view text) {
  const Changing now;
  error_ = failed_ = 0;
  whole_ = 0;
  flushes_.clear();
  buffer_ = text;
  ends_ = {buffer_.size()};
  if (!direct_ && (::ftruncate(file_, 0) != 0 || ::lseek(file_, 0, SEEK_SET) != 0)) fail("write", errno);
}

void AtomicFile::reserve(std::size_t bytes) {
  if (direct_) return;
  rewrite(std::string(bytes, ' '));
  const Changing now;
  if (const int error = flush()) fail("write", error);
}

bool AtomicFile::dropLast() {
  if (direct_ || file_ < 0 || flushes_.empty()) return false;
  const Changing now;
  error_ = ENOSPC;
  buffer_.clear();
  ends_.clear();
  whole_ = flushes_.back();
  flushes_.pop_back();
  return ::ftruncate(file_, whole_) == 0 && ::lseek(file_, whole_, SEEK_SET) >= 0;
}

int AtomicFile::put(std::size_t& done) const {
  for (done = 0; done < buffer_.size();) {
    const auto count = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (count > 0) done += static_cast<std::size_t>(count);
    // A pipe that nobody reads would block the end forever.
    else if (count == 0 || errno != EINTR || (direct_ && InterruptGuard::interrupted()))
      return count == 0 ? ENOSPC : errno;
  }
  return 0;
}

int AtomicFile::flush() {
  std::size_t done = 0;
  failed_ = file_ < 0 ? EBADF : put(done);
  if (direct_ || file_ < 0) {
    if (failed_ == 0) buffer_.clear(), ends_.clear();
    return failed_;
  }
  std::size_t fits = 0, pieces = 0;
  for (; pieces < ends_.size() && ends_[pieces] <= done; ++pieces) fits = ends_[pieces];
  if (fits > 0) flushes_.push_back(whole_);
  whole_ += static_cast<long long>(fits);
  buffer_.erase(0, fits);
  ends_.erase(ends_.begin(), ends_.begin() + static_cast<long>(pieces));
  for (std::size_t& end : ends_) end -= fits;
  if (failed_ != 0 && (::ftruncate(file_, whole_) != 0 || ::lseek(file_, whole_, SEEK_SET) < 0))
    whole_ = 0;  // it cannot be truncated to the end of a whole piece
  return failed_;
}

void AtomicFile::commit() {
  const Changing now;
  if (const int error = flush()) fail("write", error);
  commitWritten();
}

void AtomicFile::commitWritten() {
  const Changing now;
  buffer_.clear();
  if (file_ < 0) fail("write", EBADF);
  if (!direct_ && whole_ == 0 && (error_ != 0 || failed_ != 0)) fail("write", error_ != 0 ? error_ : failed_);
  const bool failed = !direct_ && std::rename(aside_.c_str(), path_.c_str()) != 0;
  const int error = errno;
  if (failed) ::unlink(aside_.c_str());
  close();
  if (failed) fail("write", error);
}

void AtomicFile::keepAll() {
  for (AtomicFile* file : openFiles) {
    if (!file || file->direct_) continue;
    std::size_t done = 0;
    const bool keep = file->whenCut_ == WhenCut::keep && changing == 0 && file->put(done) == 0;
    if (keep && std::rename(file->aside_.c_str(), file->path_.c_str()) == 0) continue;
    ::unlink(file->aside_.c_str());
    if (file->whenCut_ != WhenCut::drop) ::unlink(file->path_.c_str());
  }
}

void writeWhole(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void makeFolder(const std::string& path) {
  std::error_code error;
  if (fs::is_symlink(path, error) && !fs::exists(path, error))
    throw FileError("cannot make the folder " + path + ": it is a link to " + fs::read_symlink(path, error).string() +
                    ", which is not there");
  for (fs::path part; const fs::path& next : fs::path(path)) {
    part /= next;
    if (fs::exists(part, error) && !fs::is_directory(part, error))
      throw FileError("cannot make the folder " + path + ": " + part.string() + " is a file; name another folder");
  }
  fs::create_directories(path, error);
  if (!error && !fs::is_directory(path, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw FileError("cannot make the folder " + path + ": " + error.message());
}

std::string readWhole(const std::string& path, std::size_t limit, const std::function<void()>& waiting) {
  const bool standardInput = path == "-";
  const std::string name = standardInput ? "standard input" : path;
  const auto fail = [&](const std::string& why) { throw FileError("cannot read " + name + ": " + why); };
  // Opening must not wait for the writer of a pipe either.
  const int file = standardInput ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) fail(std::strerror(errno));
  struct Closing {
    int file;
    ~Closing() {
      if (file != STDIN_FILENO) ::close(file);
    }
  } const closing{file};
  std::string text;
  char buffer[65536];
  while (text.size() <= limit) {
    if (waiting) waiting();
    struct pollfd comes = {file, POLLIN, 0};
    if (::poll(&comes, 1, waiting ? 50 : -1) <= 0) continue;
    const auto count = ::read(file, buffer, sizeof buffer);
    if (count == 0) break;
    if (count > 0)
      text.append(buffer, static_cast<std::size_t>(count));
    else if (errno != EINTR && errno != EAGAIN)
      fail(std::strerror(errno));
  }
  if (text.size() > limit) fail("it is longer than " + std::to_string(limit >> 20) + " MiB, the limit");
  return text;
}

}  // namespace tendril::cli
