// The aside copies of files that are being written: hidden, beside their target, with the process number in the name so
// that two runs never share one. The run that writes one holds a lock on it; a run that died left it behind.
#pragma once

#include <string>

namespace tendril::cli {

/// ".NAME.NUMBER.part" in the target's folder.
std::string partName(const std::string& target);

/// Creates an aside copy, empty and locked, and opens it for writing. -1: not possible, errno says why.
int openPart(const std::string& part);

/// Removes the aside copies of dead runs from a folder. What is not there, or may not be removed, stays.
void sweepParts(const std::string& folder);
/// The same of one file's alone.
void sweepPartsOf(const std::string& target);

/// The right to write results into a folder, for one run at a time. The lock is the folder's own, so that none is left
/// by a run that died; a file system without locks has none.
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
