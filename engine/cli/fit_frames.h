// What a fit says of trackers and cameras: their numbers at the best values, given or fitted.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/fit_json.h"

namespace tendril::cli {

/// Of an experiment with a frame: {"kind": "tracker", "rotation", "translation", "scale"}, or {"kind": "camera",
/// "image": the four points', "homography": 3 x 3, "offPlane" [m]}.
nlohmann::ordered_json frameJson(const FitRecord& record, std::size_t experiment);

/// A table for report.html; empty where there are no frames.
std::string framesSection(const FitRecord& record);

/// Cameras that may show points elsewhere than their homography does, because these leave the plane: one sentence each.
/// A point at d from the plane is shifted by up to d / D of its distance from the image's center, where D, the camera's
/// distance, is not known; here it is taken as the size of the four points, which a camera is seldom nearer than. Told
/// where that is more than the data's standard deviation.
std::vector<std::string> offPlaneWords(const FitRecord& record);

}  // namespace tendril::cli
