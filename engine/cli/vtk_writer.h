// ParaView files: one XML PolyData file (.vtp) per body and frame, and scene.pvd, which has their times.
#pragma once

#include <string>
#include <vector>

#include "cli/body_json.h"

namespace tendril::cli {

class VtkWriter {
 public:
  /// Start of every file, which marks it as a result.
  static constexpr char beginning[] = "<?xml version=\"1.0\"?>\n<!-- a result of tendril -->\n";
  /// Creates the folder. Throws FileError.
  explicit VtkWriter(const std::string& folder);
  /// Writes BODY_000000.vtp and so on, each complete when it appears. Throws FileError.
  void add(double time, const Bodies& bodies);
  /// Removes the newest frame, to make room. False: there is none.
  bool dropLast();
  /// scene.pvd, with the frames so far and their times in seconds. Throws FileError.
  void commit();

 private:
  std::string folder_;
  struct Frame {
    std::vector<std::string> files;
    std::string entries;  // in scene.pvd
  };
  std::vector<Frame> frames_;
};

/// One body with its point data, where available: velocity [m/s], radius [m], d1, curvature [1/m], stretch. A rod is a
/// line through its nodes, a linkage a line for each link, a shell its triangles.
std::string vtpText(const BodyState& body);

}  // namespace tendril::cli
