// The temporary copies of files being written: hidden, beside their target, with the process number in the name so that
// two runs never share one. The writing run holds a lock on its copy; a crashed run leaves it behind unlocked.
#pragma once

#include <string>

namespace tendril::cli {

/// ".NAME.NUMBER.part" in the target's folder.
std::string partName(const std::string& target);

/// Creates a temporary copy, empty and locked, and opens it for writing. -1: not possible, errno has the reason.
int openPart(const std::string& part);

/// Removes the temporary copies of dead runs from a folder. Ignores missing files and those that may not be removed.
void sweepParts(const std::string& folder);
/// The same for one file only.
void sweepPartsOf(const std::string& target);

/// The right to write results into a folder, for one run at a time. The lock belongs to the folder, so that a crashed
/// run leaves none; on a file system without locks there is none.
class FolderLock {
 public:
  /// Throws FileError: another run holds it.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace tendril::cli
