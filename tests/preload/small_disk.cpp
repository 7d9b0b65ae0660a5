// Preloaded into the program by tests: the files of one folder share a disk of so many bytes, as on a small file
// system, for which a test would have to be allowed to mount. Written bytes beyond are refused as a full disk refuses
// them; what is removed or cut makes room again.
#include <dlfcn.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr long long page = 4096;
long long occupied = 0;

long long pages(long long bytes) { return (bytes + page - 1) / page * page; }

int add(const char*, const struct stat* status, int kind, struct FTW*) {
  if (kind == FTW_F) occupied += pages(status->st_size);
  return 0;
}

/// Bytes that may still be written at this file's end; -1: it is not on the disk.
long long room(int file) {
  const char* folder = std::getenv("SMALL_DISK_FOLDER");
  const char* bytes = std::getenv("SMALL_DISK_BYTES");
  if (!folder || !bytes) return -1;
  char path[4096] = {};
  struct stat status = {};
  if (::readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path - 1) < 0) return -1;
  if (std::strncmp(path, folder, std::strlen(folder)) != 0 || ::fstat(file, &status) != 0) return -1;
  occupied = 0;
  ::nftw(folder, add, 16, FTW_PHYS);
  // What its last page has left is its own.
  return pages(status.st_size) - status.st_size + std::max(0LL, std::atoll(bytes) - occupied);
}

}  // namespace

extern "C" ssize_t write(int file, const void* bytes, size_t count) {
  static const auto real = reinterpret_cast<ssize_t (*)(int, const void*, size_t)>(::dlsym(RTLD_NEXT, "write"));
  const long long left = room(file);
  if (left == 0 && count > 0) {
    errno = ENOSPC;
    return -1;
  }
  return real(file, bytes, left > 0 ? std::min(static_cast<size_t>(left), count) : count);
}
