// ParaView files: one XML PolyData file (.vtp) a body and frame, and scene.pvd, which gives them their times.
#pragma once

#include <string>
#include <vector>

#include "cli/body_json.h"

namespace tendril::cli {

class VtkWriter {
 public:
  /// Makes the folder. Throws FileError.
  explicit VtkWriter(const std::string& folder);
  /// BODY_000000.vtp and so on, each whole when it appears. Throws FileError.
  void add(double time, const Bodies& bodies);
  /// scene.pvd, with the frames so far and their times in seconds. Throws FileError.
  void commit();

 private:
  std::string folder_;
  long frame_ = 0;
  std::string entries_;
};

/// One body with its point data, as far as it has them: velocity [m/s], radius [m], d1, curvature [1/m], stretch. A rod is
/// a line through its nodes, a linkage a line for each link, a shell its triangles.
std::string vtpText(const BodyState& body);

}  // namespace tendril::cli
