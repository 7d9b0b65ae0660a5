// The filmed limb of the DisMech paper, followed frame by frame with the two natural curvatures that it has there: how
// far its tags then are from those of the film.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/reference_files.h"
#include "fit/exact_runs.h"
#include "fit/fit.h"
#include "fit/sequential.h"
#include "text/words.h"

namespace tendril::test {
namespace filmed_limb_test {

using Json = nlohmann::json;
using text::formatNumber;

// Where the camera stood is not published. Scale and tilt are those with which the tags come nearest to the published
// playback of the paper's own program, about the root.
constexpr double scale = 0.277e-3;  // [m] of a pixel
const double tilt = 5.95 * std::acos(-1.0) / 180;

/// Times [s] and positions [m] of the tags 2 to 9, x and z.
std::string tableOf(const Json& tags, double interval) {
  std::string out = "t";
  for (int tag = 2; tag <= 9; ++tag) out += ",x" + std::to_string(tag) + ",z" + std::to_string(tag);
  for (std::size_t frame = 0; frame < tags.size(); ++frame) {
    out += "\\n" + formatNumber(interval * double(frame));
    for (std::size_t tag = 2; tag <= 9; ++tag) {
      const double x = scale * double(tags[frame][2 * tag - 1]), z = scale * double(tags[frame][2 * tag]);
      out += "," + formatNumber(std::cos(tilt) * x - std::sin(tilt) * z) + "," +
             formatNumber(std::sin(tilt) * x + std::cos(tilt) * z);
    }
  }
  return out + "\\n";
}

std::string planText(const Json& data, int starts) {
  constexpr double interval = 0.2;
  const std::size_t frames = data["tags_px"].size();
  std::string times, zeros, probes, columns;
  for (std::size_t k = 0; k < frames; ++k) {
    times += (k ? ", " : "") + formatNumber(interval * double(k));
    zeros += k ? ", 0" : "0";
  }
  for (int tag = 2; tag <= 9; ++tag) {
    const std::string n = std::to_string(tag);
    probes += (tag > 2 ? ", \"p" : "\"p") + n + R"(": {"position": "limb:)" + std::to_string(6 * (tag - 1)) + "\"}";
    for (const char* axis : {"x", "z"})
      columns += (columns.empty() ? "\"" : ", \"") + (axis + n) + R"(": {"probe": "p)" + n + "." + axis +
                 R"(", "sigma": 3e-3})";
  }
  const std::string series = R"({"time": [)" + times + R"(], "value": [)" + zeros + "]}";
  const std::string unknown = R"(", "min": -25, "max": 25})";
  return R"({"format": "tendril-fit/1", "sequential": true, "starts": )" + std::to_string(starts) +
         R"(, "scene": {"format": "tendril/1", "series": {"root": )" + series + R"(, "end": )" + series + R"(},
    "materials": {"silicone": {"youngs": 1.793e6, "poisson": 0.5, "density": 1240}},
    "rods": {"limb": {"section": {"circle": {"radius": 0.01}}, "segments": 48,
      "path": {"line": {"from": [0, 0, 0], "to": [0.15, 0, 0]}}, "frame": [0, 0, 1]}},
    "constraints": [{"clamp": "limb:first"}, {"planar": "xz"}], "environment": {"gravity": [0, 0, -9.8]},
    "actuation": [{"rod": "limb", "curvature": ["=s < 0.075 ? root(t) : end(t) ", 0]
}],
    "solver": {"integrator": "implicit-euler", "dt": 0.2, "duration": )" +
         formatNumber(interval * double(frames - 1)) + R"(, "start": "equilibrium"},
    "probes": {)" +
         probes + R"(}}, "unknowns": {"root": {"series": "root)" + unknown + R"(, "end": {"series": "end)" + unknown +
         R"(}, "experiments": [{"data": {"csv": ")" + tableOf(data["tags_px"], interval) + R"(", "columns": {)" +
         columns + "}}}]}";
}

TEST_PUBLISHED(FilmedLimb, ComesAsNearToItsTagsAsItsTwoCurvaturesAllow) {
  std::ifstream file = referenceFile("dismech-rods/real2sim.json");
  const Json data = Json::parse(file);
  auto read = fit::readPlan(planText(data, 1), [](const std::string&) { return fit::FileText{}; });
  if (const auto* problems = std::get_if<Problems>(&read)) FAIL() << describe(problems->front(), "plan");
  const fit::Plan& plan = std::get<fit::Plan>(read);
  fit::ExactRuns runs;
  fit::PlanResiduals residuals(plan, runs);
  const fit::LeastSquaresResult found = fit::searchSequentially(plan, residuals, residuals.starts(), {});
  ASSERT_TRUE(fit::converged(found.stop)) << found.reason;
  const std::vector<Eigen::MatrixXd> model = residuals.predictions(found.x);
  const Eigen::MatrixXd apart = model[0] - plan.experiments[0].data;
  double sum = 0, tip = 0, most = 0;
  for (Eigen::Index r = 0; r < apart.rows(); ++r)
    for (Eigen::Index c = 0; c < apart.cols(); c += 2) {
      const double distance = std::hypot(apart(r, c), apart(r, c + 1));
      sum += distance, most = std::max(most, distance);
      if (c + 2 == apart.cols()) tip += distance;
    }
  const Eigen::Index seen = apart.size() / 2;
  const double mean = sum / double(seen);
  testing::Test::RecordProperty("mean", std::to_string(mean));
  testing::Test::RecordProperty("tip", std::to_string(tip / double(apart.rows())));
  testing::Test::RecordProperty("most", std::to_string(most));
  EXPECT_LT(mean, 3.0e-3);
}

}  // namespace filmed_limb_test
}  // namespace tendril::test
