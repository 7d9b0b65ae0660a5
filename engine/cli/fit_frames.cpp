#include "cli/fit_frames.h"

#include <algorithm>
#include <cmath>

#include "cli/numbers.h"
#include "cli/plot.h"
#include "fit/frame_reader.h"

namespace tendril::cli {

namespace {

using Json = nlohmann::ordered_json;
using Kind = fit::Placement::Kind;

Json list(const Eigen::VectorXd& values) { return std::vector<double>(values.begin(), values.end()); }

/// The least of what the columns that are seen through the frame are off by; 0: not known.
double leastSigma(const FitRecord& record, const fit::Experiment& experiment) {
  if (!record.plan->sigmas) return record.result->uncertainty ? std::sqrt(record.result->uncertainty->variance) : 0;
  double least = HUGE_VAL;
  for (const fit::DataColumn& column : experiment.columns)
    if (column.axis >= 0) least = std::min(least, column.sigma);
  return least;
}

}  // namespace

Json frameJson(const FitRecord& record, std::size_t experiment) {
  const fit::Frame& frame = record.plan->experiments[experiment].frame;
  const Eigen::VectorXd numbers = frame.at(record.result->values);
  if (frame.placement.kind == Kind::tracker)
    return {{"kind", "tracker"},
            {"rotation", list(numbers.head(3))},
            {"translation", list(numbers.segment(3, 3))},
            {"scale", numbers[6]}};
  Json image = Json::array(), homography = Json::array();
  for (Eigen::Index k = 0; k < 4; ++k) image.push_back(list(numbers.segment(2 * k, 2)));
  const Eigen::Matrix3d H = fit::homographyOf(frame.placement, numbers);
  for (Eigen::Index row = 0; row < 3; ++row) homography.push_back(list(H.row(row).transpose()));
  return {{"kind", "camera"},
          {"image", image},
          {"homography", homography},
          {"offPlane", record.result->offPlane[experiment]}};
}

std::string framesSection(const FitRecord& record) {
  std::string out;
  for (std::size_t e = 0; e < record.plan->experiments.size(); ++e) {
    const fit::Experiment& experiment = record.plan->experiments[e];
    if (experiment.frame.placement.kind == Kind::scene) continue;
    const bool camera = experiment.frame.placement.kind == Kind::camera;
    const Eigen::VectorXd numbers = experiment.frame.at(record.result->values);
    out += "<p>" + escaped(experiment.name) + (camera ? ": camera" : ": tracker") +
           "</p>\n<table>\n<tr><th>number</th><th>value</th><th>is</th></tr>\n";
    for (int k = 0; k < int(numbers.size()); ++k) {
      const int unknown = experiment.frame.numbers[std::size_t(k)].unknown;
      out += "<tr><td>" + fit::numberName(experiment.frame.placement, k) + "</td><td>" + humanNumber(numbers[k], 8) +
             "</td><td>" +
             (unknown < 0 ? "given" : "fitted, " + escaped(record.plan->unknowns[std::size_t(unknown)].name)) +
             "</td></tr>\n";
    }
    out += "</table>\n";
    if (!camera) continue;
    const Eigen::Matrix3d H = fit::homographyOf(experiment.frame.placement, numbers);
    out += "<p>Homography, from (x, y, 1) in the plane to the image:</p>\n<table>\n";
    for (Eigen::Index row = 0; row < 3; ++row) {
      out += "<tr>";
      for (Eigen::Index c = 0; c < 3; ++c) out += "<td>" + humanNumber(H(row, c), 8) + "</td>";
      out += "</tr>\n";
    }
    out += "</table>\n<p>Points were up to " + humanNumber(record.result->offPlane[e], 3) + " m off the plane.</p>\n";
  }
  return out.empty() ? out : "<h2>Frames</h2>\n" + out;
}

std::vector<std::string> offPlaneWords(const FitRecord& record) {
  std::vector<std::string> out;
  for (std::size_t e = 0; e < record.plan->experiments.size(); ++e) {
    const fit::Experiment& experiment = record.plan->experiments[e];
    const fit::Frame& frame = experiment.frame;
    if (frame.placement.kind != Kind::camera) continue;
    const double off = record.result->offPlane[e], image = fit::sizeOf(fit::imageOf(frame.at(record.result->values))),
                 shift = off / fit::sizeOf(frame.placement.corners) * image / 2;
    if (!(shift > leastSigma(record, experiment))) continue;
    out.push_back(experiment.name + ": points were up to " + humanNumber(off, 3) +
                  " m off the camera's plane, which may show them by about " + humanNumber(shift, 3) +
                  " elsewhere in the image, more than the data are off by; a homography knows its plane alone.");
  }
  return out;
}

}  // namespace tendril::cli
