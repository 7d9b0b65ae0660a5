// Bodies as JSON: final.json is one such object, frames.ndjson has one per line with its time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/atomic_file.h"
#include "tendril/simulation.h"

namespace tendril::cli {

using Bodies = std::vector<BodyState>;

struct BodyJson {
  std::string text;    ///< one line, without its newline
  bool finite = true;  ///< false: some numbers were written as null
};

/// {"t": .., "nodes": {"arm": [[x,y,z], ..]}, "velocity": {..}, "twist": {"arm": [..]},
/// "linkages": {"arm/limb": {"q": [..], "v": [..]}}, "vines": {}}; nodes of a linkage are those of its links, in turn.
BodyJson bodyJson(const Bodies& bodies, std::optional<double> time);

/// frames.ndjson, streamed to disk.
class FrameFile {
 public:
  explicit FrameFile(const std::string& path) : file_(path, AtomicFile::WhenCut::keep) {}
  void add(double time, const Bodies& bodies);  ///< throws FileError
  void commit() { file_.commit(); }
  bool finite() const { return finite_; }

 private:
  AtomicFile file_;
  bool finite_ = true;
};

}  // namespace tendril::cli
