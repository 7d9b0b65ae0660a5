// A lock rather than the process number shows which run is alive: numbers are reused, and another machine or container
// that shares the folder has its own.
#include "cli/part_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "cli/atomic_file.h"

namespace tendril::cli {

namespace fs = std::filesystem;

std::string partName(const std::string& target) {
  const fs::path path(target);
  return (path.parent_path() / ("." + path.filename().string() + "." + std::to_string(::getpid()) + ".part")).string();
}

namespace {

bool sameFile(int file, const std::string& path) {
  struct stat a = {}, b = {};
  return ::fstat(file, &a) == 0 && ::stat(path.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Of file `name`, or of any file if it is empty.
bool isPartOf(const std::string& part, const std::string& name) {
  const std::string end = ".part";
  if (part.size() <= end.size() || part[0] != '.' || part.compare(part.size() - end.size(), end.size(), end) != 0)
    return false;
  const std::string front = part.substr(1, part.size() - 1 - end.size());
  const std::size_t dot = front.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == front.size()) return false;
  return front.find_first_not_of("0123456789", dot + 1) == std::string::npos &&
         (name.empty() || front.substr(0, dot) == name);
}

void sweep(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, ignored)) {
    if (isPartOf(entry.path().filename().string(), name) && fs::is_regular_file(entry.symlink_status(ignored)))
      found.push_back(entry.path());
  }
  for (const fs::path& path : found) {
    const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) continue;
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) fs::remove(path, ignored);
    ::close(file);
  }
}

}  // namespace

int openPart(const std::string& part) {
  for (int attempt = 0; attempt < 3; ++attempt) {
    const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return -1;
    // Not every file system has locks. On one that does, another run may have locked this file to remove it.
    if (::flock(file, LOCK_EX | LOCK_NB) == 0 ? sameFile(file, part) : errno != EWOULDBLOCK) return file;
    ::close(file);
  }
  errno = EBUSY;
  return -1;
}

void sweepParts(const std::string& folder) { sweep(folder, ""); }

void sweepPartsOf(const std::string& target) {
  sweep(fs::path(target).parent_path(), fs::path(target).filename().string());
}

FolderLock::FolderLock(const std::string& folder) : file_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (file_ < 0 || ::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(file_);
  throw FileError("another run is writing its results into " + folder + ": wait until it ends, or give another folder");
}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace tendril::cli
