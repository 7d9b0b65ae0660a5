// Data that a tracker or a camera has seen: what a placement means, what is said of one that cannot be, and that fits
// find their truth through it.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <map>

#include "engine/fit/good_plan.h"
#include "fit/exact_runs.h"
#include "fit/fit.h"
#include "fit/generator.h"
#include "fit/placement.h"
#include "tendril/simulation.h"

namespace tendril::test {
namespace fit_frames_test {

using fit::Placement;

/// A pinhole camera: pixels of a point of the scene, and its depth. Written without the engine's placements.
struct Pinhole {
  Mat3 K = Mat3::Identity(), R = Mat3::Identity();
  Vec3 t = Vec3::Zero();

  Vec3 ray(const Vec3& p) const { return K * (R * p + t); }
  Vec2 pixel(const Vec3& p) const { return ray(p).head<2>() / ray(p).z(); }
};

/// Looks along y from about 0.4 m, askew, at what lies in the plane xz; the image's y points down.
Pinhole camera() {
  Pinhole out;
  out.K << 900, 0, 640, 0, 900, 360, 0, 0, 1;
  Mat3 look;
  look << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  out.R = Eigen::AngleAxisd(0.35, Vec3(0.2, 1, 0.4).normalized()).toRotationMatrix() * look;
  out.t = Vec3(-0.05, -0.03, 0.4);
  return out;
}

const fit::Corners square = {Vec2(0, 0), Vec2(0.1, 0.01), Vec2(0.09, -0.08), Vec2(-0.01, -0.07)};

Vec3 inPlane(const Vec2& place) { return {place.x(), 0, place.y()}; }

Placement cameraPlacement() {
  Placement out;
  out.kind = Placement::Kind::camera;
  out.plane.x = Vec3::UnitX(), out.plane.y = Vec3::UnitZ();
  out.corners = square;
  return out;
}

Eigen::VectorXd imageOf(const Pinhole& pinhole, const fit::Corners& corners) {
  Eigen::VectorXd out(8);
  for (int k = 0; k < 4; ++k) out.segment<2>(2 * k) = pinhole.pixel(inPlane(corners[std::size_t(k)]));
  return out;
}

Eigen::VectorXd trackerNumbers(const Vec3& rotation) {
  Eigen::VectorXd out(7);
  out << rotation, 0.3, -0.2, 0.7, 1000;
  return out;
}

/// Both kinds, at several numbers.
std::vector<std::pair<Placement, Eigen::VectorXd>> placements() {
  Placement tracker;
  tracker.kind = Placement::Kind::tracker;
  return {{tracker, trackerNumbers(Vec3::Zero())},
          {tracker, trackerNumbers({1e-5, -2e-5, 1e-5})},
          {tracker, trackerNumbers({0.4, -0.9, 1.3})},
          {tracker, trackerNumbers({3, 1, -0.5})},
          {cameraPlacement(), imageOf(camera(), square)}};
}

TEST(FitFrames, PlacementsHaveTheSlopesOfTheirDifferences) {
  for (const auto& [placement, numbers] : placements()) {
    const Vec3 point(0.03, 0.02, -0.05);
    const fit::Sighting sight = sightOf(placement, numbers, point);
    ASSERT_EQ(sight.problem, "");
    for (int k = 0; k < 3; ++k) {
      const double h = 1e-6;
      const Vec3 difference = (sightOf(placement, numbers, point + h * Vec3::Unit(k)).at -
                               sightOf(placement, numbers, point - h * Vec3::Unit(k)).at) /
                              (2 * h);
      EXPECT_LT((difference - sight.byPoint.col(k)).norm(), 1e-7 * sight.byPoint.norm()) << k;
    }
    ASSERT_EQ(sight.byNumbers.cols(), placement.count());
    for (Eigen::Index k = 0; k < placement.count(); ++k) {
      const double h = 1e-5 * std::max(1.0, std::abs(numbers[k]));
      const Eigen::VectorXd away = h * Eigen::VectorXd::Unit(placement.count(), k);
      const Vec3 difference =
          (sightOf(placement, numbers + away, point).at - sightOf(placement, numbers - away, point).at) / (2 * h);
      EXPECT_LT((difference - sight.byNumbers.col(k)).norm(), 1e-7 * sight.byNumbers.norm()) << k;
    }
  }
}

TEST(FitFrames, ATrackerSeesTurnedShiftedAndScaledPlaces) {
  Placement tracker;
  tracker.kind = Placement::Kind::tracker;
  const Vec3 rotation(0.4, -0.9, 1.3), point(0.03, 0.02, -0.05);
  const Vec3 turned = Eigen::AngleAxisd(rotation.norm(), rotation.normalized()) * point;
  const Vec3 wanted = 1000 * (turned + Vec3(0.3, -0.2, 0.7));
  EXPECT_LT((sightOf(tracker, trackerNumbers(rotation), point).at - wanted).norm(), 1e-13 * wanted.norm());
}

TEST(FitFrames, AHomographyTakesItsFourPointsToTheirImages) {
  const Placement placement = cameraPlacement();
  // Of a camera, and of four numbers that somebody clicked.
  Eigen::VectorXd clicked(8);
  clicked << 411, 233, 902, 255, 840.5, 611, 380, 577.25;
  for (const Eigen::VectorXd& numbers : {imageOf(camera(), square), clicked})
    for (int k = 0; k < 4; ++k) {
      const fit::Sighting sight = sightOf(placement, numbers, inPlane(square[std::size_t(k)]));
      ASSERT_EQ(sight.problem, "");
      EXPECT_LT((sight.at.head<2>() - numbers.segment<2>(2 * k)).norm(), 1e-14 * numbers.norm()) << k;
      const Vec3 by =
          fit::homographyOf(placement, numbers) * Vec3(square[std::size_t(k)].x(), square[std::size_t(k)].y(), 1);
      EXPECT_LT((by.head<2>() / by.z() - numbers.segment<2>(2 * k)).norm(), 1e-12 * numbers.norm()) << k;
    }
}

TEST(FitFrames, AHomographyIsThatOfThePinholeCamera) {
  const Pinhole pinhole = camera();
  const Placement placement = cameraPlacement();
  const Eigen::VectorXd numbers = imageOf(pinhole, square);
  for (const Vec2& place : {Vec2(0.05, -0.03), Vec2(-0.2, 0.1), Vec2(0.3, 0.3)}) {
    ASSERT_GT(pinhole.ray(inPlane(place)).z(), 0);
    const Vec2 wanted = pinhole.pixel(inPlane(place));
    EXPECT_LT((sightOf(placement, numbers, inPlane(place)).at.head<2>() - wanted).norm(), 1e-11 * wanted.norm());
    // Beside the plane, its foot.
    EXPECT_LT((sightOf(placement, numbers, inPlane(place) + Vec3(0, 0.02, 0)).at.head<2>() - wanted).norm(),
              1e-11 * wanted.norm());
  }
  Mat3 H;
  H << pinhole.K * pinhole.R.col(0), pinhole.K * pinhole.R.col(2), pinhole.K * pinhole.t;
  H /= H(2, 2);
  EXPECT_LT((fit::homographyOf(placement, numbers) - H).norm(), 1e-10 * H.norm());
  // The horizon: where rays from the camera are parallel to the plane. Points beyond are behind the camera.
  const Vec3 slope = (pinhole.R.transpose() * Vec3::UnitZ());
  const Vec3 away = inPlane(Vec2(slope.x(), slope.z()).normalized());
  const double horizon = -pinhole.t.z() / slope.dot(away);
  EXPECT_EQ(sightOf(placement, numbers, 0.999 * horizon * away).problem, "");
  EXPECT_NE(sightOf(placement, numbers, 1.001 * horizon * away).problem.find("horizon"), std::string::npos);
}

TEST(FitFrames, FourPointsThatAreNoViewOfAPlaneAreRefusedByName) {
  Placement placement = cameraPlacement();
  const Eigen::VectorXd good = imageOf(camera(), square);
  EXPECT_EQ(flawOf(placement, good), "");
  Eigen::VectorXd mirrored = good;
  for (int k = 0; k < 4; ++k) mirrored[2 * k] *= -1;
  EXPECT_EQ(flawOf(placement, mirrored), "") << "a camera on the other side";
  Eigen::VectorXd line = good;
  line.segment<2>(6) = 0.3 * line.segment<2>(0) + 0.7 * line.segment<2>(2);
  EXPECT_EQ(flawOf(placement, line), "points 0, 1 and 3 lie on a line in the image");
  Eigen::VectorXd exchanged = good;
  exchanged.segment<2>(0) = good.segment<2>(2), exchanged.segment<2>(2) = good.segment<2>(0);
  EXPECT_NE(flawOf(placement, exchanged).find("no camera sees these four points"), std::string::npos);
  placement.corners[2] = placement.corners[1];
  EXPECT_NE(flawOf(placement, good).find("lie on a line in the plane"), std::string::npos);
}

// Plans.

/// A rod that falls from straight, clamped at the origin, with four marks.
const char* const scene = R"json({"format": "tendril/1",
  "parameters": {"E": {"value": 3e6, "min": 1e5, "max": 1e8, "scale": "log", "unit": "Pa"}, "L": 0.1, "g": 9.81, "side": 0},
  "materials": {"rubber": {"youngs": "=E", "poisson": 0.5, "density": 1200, "damping": 2e3}},
  "rods": {"arm": {"section": {"circle": {"radius": 3e-3}}, "segments": 6, "path": {"line": {"from": [0, 0, 0], "to": ["=L", 0, 0]}}, "material": "rubber"}},
  "constraints": [{"clamp": "arm:first"}], "environment": {"gravity": [0, "=side", "=-g"]},
  "solver": {"dt": 0.01, "duration": 0.2},
  "probes": {"root": {"position": "arm:first"}, "a": {"position": "arm:2"}, "b": {"position": "arm:4"}, "tip": {"position": "arm:last"},
    "force": {"reaction": "arm:first"}}})json";

const std::vector<std::string> marks = {"root", "a", "b", "tip"};

/// A run's marks at its accepted steps, each 0.02 s.
struct Film {
  std::vector<double> time;
  std::vector<std::vector<Vec3>> places;  ///< per time, of the marks
};

Film filmOf(const std::map<std::string, double>& parameters) {
  Simulation run(scene, parameters);
  Film out;
  const auto& names = run.columns();
  for (int k = 1; !run.finished(); ++k) {
    run.step();
    if (k % 2 != 0) continue;
    out.time.push_back(run.time());
    out.places.emplace_back();
    for (const std::string& mark : marks) {
      const auto at = std::find(names.begin(), names.end(), mark + ".x") - names.begin();
      out.places.back().push_back(Eigen::Map<const Vec3>(run.values().data() + at));
    }
  }
  return out;
}

using Seen = std::function<Eigen::VectorXd(const Vec3&)>;

/// What is seen of a film, with normal errors, as a table within a plan.
std::string tableOf(const Film& film, const Seen& seen, double sigma, std::uint64_t seed) {
  fit::Generator noise(seed);
  const Eigen::Index axes = seen(Vec3::Zero()).size();
  std::string out = "t";
  for (const std::string& mark : marks)
    for (Eigen::Index k = 0; k < axes; ++k) out += "," + mark + "." + "xyz"[k];
  for (std::size_t row = 0; row < film.time.size(); ++row) {
    char cell[40];
    std::snprintf(cell, sizeof cell, "\\n%.12g", film.time[row]);
    out += cell;
    for (const Vec3& place : film.places[row])
      for (const double value : seen(place)) {
        std::snprintf(cell, sizeof cell, ",%.12g", value + sigma * noise.normal());
        out += cell;
      }
  }
  return "\"" + out + "\\n\"";
}

std::string columnsOf(const std::string& axes, double sigma) {
  std::string out;
  for (const std::string& mark : marks)
    for (const char axis : axes) {
      const std::string name = "\"" + mark + "." + axis + "\"";
      out += (out.empty() ? "" : ", ") + name + ": {\"probe\": " + name + ", \"sigma\": " + std::to_string(sigma) + "}";
    }
  return "{" + out + "}";
}

std::string planText(const std::string& unknowns, const std::string& table, const std::string& columns,
                     const std::string& frame) {
  return R"({"format": "tendril-fit/1", "scene": "arm.json", "unknowns": {)" + unknowns +
         R"(}, "experiments": [{"data": {"csv": )" + table + R"(, "columns": )" + columns +
         (frame.empty() ? "" : ", \"frame\": " + frame) + "}}]}";
}

std::variant<fit::Plan, Problems> read(const std::string& text) {
  return fit::readPlan(text, [](const std::string&) { return fit::FileText{scene, {}}; });
}

fit::Plan good(const std::string& text) { return test::goodPlan(read(text)); }

void expectProblem(const std::string& text, const std::string& pointer, const std::string& words) {
  const auto plan = read(text);
  const auto* problems = std::get_if<Problems>(&plan);
  ASSERT_TRUE(problems) << "nothing is wrong; expected " << words;
  EXPECT_EQ(problems->front().pointer, "/experiments/0/data" + pointer);
  EXPECT_NE(problems->front().message.find(words), std::string::npos)
      << problems->front().message << "\nexpected: " << words;
}

std::unique_ptr<fit::RunSource> ownRuns() { return std::make_unique<fit::ExactRuns>(); }

const std::string young = R"("E": {"min": 5e5, "max": 2e7, "scale": "log"})";
constexpr double trueE = 2e6;
const Vec3 trueRotation(0.3, -0.2, 0.5), trueTranslation(0.4, -0.1, 0.25);
constexpr double trueScale = 1000, trackerSigma = 0.3, cameraSigma = 0.5;

Eigen::VectorXd tracked(const Vec3& place) {
  return trueScale * (Eigen::AngleAxisd(trueRotation.norm(), trueRotation.normalized()) * place + trueTranslation);
}
Eigen::VectorXd photographed(const Vec3& place) { return camera().pixel(place); }

/// With seed 7, which was the first, the scale is off by 3.4 of its standard errors: one draw in a thousand is.
std::string trackerPlan(const std::string& unknowns, const std::string& frame, std::uint64_t seed = 8) {
  return planText(unknowns, tableOf(filmOf({{"E", trueE}}), tracked, trackerSigma, seed),
                  columnsOf("xyz", trackerSigma), frame);
}

/// Four points with their images, each `off` pixels from where the camera sees it.
std::string pointsText(double off = 0, const fit::Corners& corners = square) {
  std::string out;
  const Eigen::VectorXd image = imageOf(camera(), corners);
  for (int k = 0; k < 4; ++k) {
    char item[160];
    std::snprintf(item, sizeof item, "%s{\"plane\": [%.12g, %.12g], \"image\": [%.12g, %.12g]}", k ? ", " : "",
                  corners[std::size_t(k)].x(), corners[std::size_t(k)].y(), image[2 * k] + (k % 2 ? off : -off),
                  image[2 * k + 1] + off);
    out += item;
  }
  return "[" + out + "]";
}

std::string cameraFrame(const std::string& more = "", double off = 0) {
  return R"({"plane": "xz", "points": )" + pointsText(off) + more + "}";
}

std::string cameraPlan(const std::string& unknowns, const std::string& frame, std::uint64_t seed = 7) {
  return planText(unknowns, tableOf(filmOf({{"E", trueE}}), photographed, cameraSigma, seed),
                  columnsOf("xy", cameraSigma), frame);
}

/// Each unknown within three standard errors of its truth, and told by the data.
fit::FitResult expectTruth(const fit::Plan& plan, const std::map<std::string, double>& truth) {
  fit::FitResult result = fit::fitPlan(plan, ownRuns);
  EXPECT_GE(result.best, 0);
  if (result.best < 0 || !result.uncertainty) return result;
  EXPECT_TRUE(fit::converged(result.starts[std::size_t(result.best)].stop));
  EXPECT_EQ(plan.unknowns.size(), truth.size());
  for (std::size_t u = 0; u < plan.unknowns.size(); ++u) {
    const std::string& name = plan.unknowns[u].name;
    const double error = result.standardErrors[Eigen::Index(u)], value = result.values[Eigen::Index(u)];
    EXPECT_GT(error, 0) << name;
    EXPECT_LT(std::abs(value - truth.at(name)), 3 * error) << name << " = " << value << " +- " << error;
    EXPECT_TRUE(result.uncertainty->identifiable[u]) << name;
  }
  const double degrees = double(result.predictions[0].size()) - double(plan.unknowns.size());
  EXPECT_LT(std::abs(2 * result.starts[std::size_t(result.best)].cost - degrees), 4 * std::sqrt(2 * degrees));
  return result;
}

std::map<std::string, double> trackerTruth() {
  std::map<std::string, double> out = {{"E", trueE}, {"frame0.scale", trueScale}};
  for (int k = 0; k < 3; ++k) {
    out[std::string("frame0.rotation.") + "xyz"[k]] = trueRotation[k];
    out[std::string("frame0.translation.") + "xyz"[k]] = trueTranslation[k];
  }
  return out;
}

std::map<std::string, double> cameraTruth() {
  std::map<std::string, double> out = {{"E", trueE}};
  const Eigen::VectorXd image = imageOf(camera(), square);
  for (int k = 0; k < 8; ++k) out["frame0.image" + std::to_string(k / 2) + (k % 2 ? ".y" : ".x")] = image[k];
  return out;
}

TEST(FitFrames, FitsFindTheTruthThroughATrackerThatIsGiven) {
  const std::string frame = R"({"rotation": [0.3, -0.2, 0.5], "translation": [0.4, -0.1, 0.25], "scale": 1000})";
  const fit::Plan plan = good(trackerPlan(young, frame));
  expectTruth(plan, {{"E", trueE}});
}

TEST(FitFrames, FitsFindTheTruthAndTheTracker) {
  const fit::Plan plan = good(trackerPlan(young, R"({"scale": 800, "translation": [0.3, 0, 0.3], "fit": true})"));
  expectTruth(plan, trackerTruth());
}

TEST(FitFrames, FitsFindThePartsOfATrackerThatAreNamed) {
  std::map<std::string, double> truth = trackerTruth();
  truth.erase("frame0.scale");
  expectTruth(good(trackerPlan(young, R"({"scale": 1000, "fit": ["rotation", "translation"]})")), truth);
  const std::string unknowns = young + R"(, "up": {"min": -1, "max": 1}, "yaw": {"min": -3, "max": 3, "start": 0.2})";
  const std::string frame = R"({"rotation": [0.3, -0.2, "yaw"], "translation": [0.4, -0.1, "up"], "scale": 1000})";
  const fit::Plan plan = good(trackerPlan(unknowns, frame));
  EXPECT_EQ(plan.unknowns[1].unit, "m");
  EXPECT_EQ(plan.unknowns[2].unit, "rad");
  expectTruth(plan, {{"E", trueE}, {"up", trueTranslation.z()}, {"yaw", trueRotation.z()}});
}

TEST(FitFrames, FitsFindTheTruthThroughACameraThatIsGiven) {
  const fit::FitResult result = expectTruth(good(cameraPlan(young, cameraFrame())), {{"E", trueE}});
  EXPECT_LT(result.offPlane.at(0), 1e-9);
}

TEST(FitFrames, FitsFindTheTruthAndTheCamera) {
  expectTruth(good(cameraPlan(young, cameraFrame(R"(, "fit": true)", 5))), cameraTruth());
  // A corner by names of its own.
  std::string frame = cameraFrame();
  const std::size_t at = frame.find("\"image\": [") + 9;
  frame.replace(at, frame.find(']', at) + 1 - at, R"(["u", "v"])");
  const Eigen::VectorXd image = imageOf(camera(), square);
  const std::string unknowns =
      young + R"(, "u": {"min": 300, "max": 800, "start": 500}, "v": {"min": 100, "max": 600, "start": 300})";
  expectTruth(good(cameraPlan(unknowns, frame)), {{"E", trueE}, {"u", image[0]}, {"v", image[1]}});
}

/// The points that were clicked are data, too: with their standard deviation.
TEST(FitFrames, PointsOfACameraHaveStandardDeviationsOfTheirOwn) {
  const fit::Plan plan = good(cameraPlan(young, cameraFrame(R"(, "fit": true, "sigma": 0.2)", 0.1)));
  ASSERT_EQ(plan.unknowns.size(), 9u);
  for (std::size_t u = 1; u < 9; ++u) {
    ASSERT_TRUE(plan.unknowns[u].prior);
    EXPECT_EQ(plan.unknowns[u].prior->sigma, 0.2);
    EXPECT_EQ(plan.unknowns[u].prior->value, plan.unknowns[u].start);
  }
  const fit::FitResult result = fit::fitPlan(plan, ownRuns);
  const fit::FitResult open = fit::fitPlan(good(cameraPlan(young, cameraFrame(R"(, "fit": true)", 0.1))), ownRuns);
  for (Eigen::Index u = 1; u < 9; ++u) EXPECT_LT(result.standardErrors[u], 0.2 * (1 + 1e-9)) << u;
  EXPECT_LT(result.standardErrors[0], open.standardErrors[0]);
  // They count as data in what these tell: two numbers could not tell nine.
  const std::string table = R"("t,x,y\n0.1,900,300\n0.2,890,310\n")";
  const std::string tip = R"({"x": {"probe": "tip.x", "sigma": 1}, "y": {"probe": "tip.y", "sigma": 1}})";
  const fit::FitResult few =
      fit::fitPlan(good(planText(young, table, tip, cameraFrame(R"(, "fit": true, "sigma": 0.2)"))), ownRuns);
  ASSERT_TRUE(few.uncertainty);
  for (std::size_t u = 1; u < 9; ++u) EXPECT_TRUE(few.uncertainty->identifiable[u]) << u;
  EXPECT_TRUE(few.uncertainty->directions.back().told);
}

/// Every derivative, through frames: by parameters, delays, offsets and the frame's own numbers.
TEST(FitFrames, ResidualsHaveTheJacobianOfTheirDifferences) {
  const std::string more =
      young + R"(, "late": {"min": -0.005, "max": 0.005, "start": -0.0024}, "up": {"min": -50, "max": 50, "start": 3})";
  for (std::string text : {trackerPlan(more, R"({"rotation": [0.3, 0.1, 0.4], "scale": 900, "fit": true})"),
                           cameraPlan(more, cameraFrame(R"(, "fit": true)", 3))}) {
    // A column with a delay and an offset, and no row at the end, which would be later than it.
    const std::string column = R"({"probe": "tip.y")";
    text.replace(text.find(column), column.size(), column + R"(, "delay": "late", "offset": "up")");
    const std::size_t end = text.find("\\n\"", text.find("csv")), last = text.rfind("\\n", end - 1);
    text.erase(last, end - last);
    const fit::Plan plan = good(text);
    fit::ExactRuns runs;
    fit::PlanResiduals residuals(plan, runs);
    const Eigen::VectorXd z = residuals.starts();
    Eigen::VectorXd r, plus, minus;
    Eigen::MatrixXd J;
    ASSERT_TRUE(residuals.evaluate(z, r, &J)) << residuals.why();
    for (Eigen::Index u = 0; u < z.size(); ++u) {
      const double h = 1e-5;
      const Eigen::VectorXd away = h * Eigen::VectorXd::Unit(z.size(), u);
      ASSERT_TRUE(residuals.evaluate(z + away, plus, nullptr));
      ASSERT_TRUE(residuals.evaluate(z - away, minus, nullptr));
      ASSERT_GT(J.col(u).norm(), 0) << plan.unknowns[std::size_t(u)].name;
      EXPECT_LT(((plus - minus) / (2 * h) - J.col(u)).norm(), 1e-5 * J.col(u).norm())
          << plan.unknowns[std::size_t(u)].name;
    }
  }
}

/// A longer rod that is seen smaller: nothing but gravity or a known length could tell.
TEST(FitFrames, TheScaleOfATrackerAgainstTheLengthOfARodIsNotIdentifiable) {
  const std::string unknowns =
      R"("L": {"min": 0.05, "max": 0.2, "start": 0.12}, "s": {"min": 300, "max": 3000, "start": 700, "scale": "log"})";
  const std::string table = tableOf(
      filmOf({{"L", 0.1}, {"g", 0}}), [](const Vec3& place) { return Eigen::VectorXd(1000 * place); }, 0.3, 7);
  const std::string text = planText(unknowns, table, columnsOf("xyz", 0.3), R"({"scale": "s"})");
  std::string still = text;
  still.replace(still.find(R"({"data")"), 1, R"({"set": {"g": 0}, )");
  const fit::Plan plan = good(still);
  const fit::FitResult result = fit::fitPlan(plan, ownRuns);
  ASSERT_TRUE(result.uncertainty);
  EXPECT_FALSE(result.uncertainty->identifiable[0]);
  EXPECT_FALSE(result.uncertainty->identifiable[1]);
  ASSERT_EQ(result.uncertainty->directions.size(), 2u);
  EXPECT_TRUE(result.uncertainty->directions[0].told) << "their product";
  EXPECT_FALSE(result.uncertainty->directions[1].told);
  EXPECT_NEAR(result.values[0] * result.values[1], 100, 1);
  // With a length that is known the scale is.
  const fit::Plan known = good([&still] {
    std::string out = still;
    out.erase(out.find(R"("L": {)"), out.find(R"("s": {)") - out.find(R"("L": {)"));
    return out;
  }());
  expectTruth(known, {{"s", 1000}});
}

/// A rod that swings out of the camera's plane.
TEST(FitFrames, HowFarPointsAreOffTheCamerasPlaneIsKnown) {
  std::string text = cameraPlan(young, cameraFrame());
  text.replace(text.find(R"({"data")"), 1, R"({"set": {"side": 3}, )");
  const Film film = filmOf({{"E", trueE}, {"side", 3}});
  const fit::Plan plan = good(text);
  fit::ExactRuns runs;
  fit::PlanResiduals residuals(plan, runs);
  Eigen::VectorXd z(1);
  z << plan.unknowns[0].position(trueE);
  residuals.predictions(z);
  double most = 0;
  for (const auto& places : film.places)
    for (const Vec3& place : places) most = std::max(most, std::abs(place.y()));
  EXPECT_GT(most, 1e-3);
  EXPECT_NEAR(residuals.offPlane().at(0), most, 1e-9);
}

TEST(FitFrames, OtherColumnsStayAsTheyAre) {
  const std::string table = R"("t,x,f\n0.1,100,0.01\n0.2,99,0.02\n")";
  const std::string unknowns = young;
  const fit::Plan plan =
      good(planText(unknowns, table,
                    R"({"x": {"probe": "tip.x", "sigma": 1}, "f": {"probe": "force.z", "sigma": 1, "frame": false}})",
                    R"({"scale": 1000})"));
  ASSERT_EQ(plan.experiments.size(), 1u);
  fit::ExactRuns runs;
  fit::PlanResiduals residuals(plan, runs);
  const Eigen::MatrixXd seen = residuals.predictions(residuals.starts())[0];
  Simulation run(scene, {{"E", 3e6}});
  run.advance(0.1);
  const auto& names = run.columns();
  const auto value = [&](const std::string& name) {
    return run.values()[std::size_t(std::find(names.begin(), names.end(), name) - names.begin())];
  };
  EXPECT_NEAR(seen(0, 0), 1000 * value("tip.x"), 1e-9);
  EXPECT_NEAR(seen(0, 1), value("force.z"), 1e-12);
}

TEST(FitFrames, AFrameMayBeAllThatIsUnknown) {
  std::map<std::string, double> truth = trackerTruth();
  truth.erase("E");
  std::string text = trackerPlan("", R"({"scale": 800, "fit": true})");
  text.replace(text.find(R"({"data")"), 1, R"({"set": {"E": 2e6}, )");
  expectTruth(good(text), truth);
}

TEST(FitFrames, PlansSayWhatIsWrongWithAFrame) {
  const std::string table = R"("t,x,y,z\n0,0.1,0,0\n0.1,0.099,0,-0.02\n0.2,0.09,0.01,-0.03\n")";
  const std::string tip = R"({"x": {"probe": "tip.x", "sigma": 1}})";
  const auto frame = [&](const std::string& text) { return planText(young, table, tip, text); };
  expectProblem(frame("3"), "/frame", "expected an object");
  expectProblem(frame(R"({"scael": 2})"), "/frame/scael", "did you mean \"scale\"?");
  expectProblem(frame(R"({"scale": 0})"), "/frame/scale", "expected a number greater than 0");
  expectProblem(frame(R"({"rotation": 2})"), "/frame/rotation", "a list of three");
  expectProblem(frame(R"({"rotation": [0, 0, "yaw"]})"), "/frame/rotation/2", "not among the unknowns");
  expectProblem(frame(R"({"scale": "E"})"), "/frame/scale", "is a parameter of the scene");
  expectProblem(frame(R"({"fit": "scale"})"), "/frame/fit", "a list of \"rotation\"");
  expectProblem(frame(R"({"fit": ["size"]})"), "/frame/fit/0", "expected \"rotation\"");
  expectProblem(planText(young + R"(, "s": {"min": 0, "max": 2})", table, tip, R"({"scale": "s"})"), "/frame/scale",
                "\"min\" greater than 0");
  expectProblem(planText(young + R"(, "s": {"min": 1, "max": 2})", table, tip, R"({"scale": "s", "fit": true})"),
                "/frame/fit", "\"s\" is an unknown already");
  expectProblem(frame(R"({"points": )" + pointsText() + "}"), "/frame", "\"plane\" is missing");
  expectProblem(frame(R"({"plane": "xx", "points": )" + pointsText() + "}"), "/frame/plane", "two axes of the scene");
  expectProblem(frame(R"({"plane": {"x": [1, 0, 0], "y": [1, 0, 1]}, "points": )" + pointsText() + "}"), "/frame/plane",
                "not at right angles");
  expectProblem(frame(R"({"plane": "xz"})"), "/frame", "\"points\" is missing");
  expectProblem(frame(R"({"plane": "xz", "points": []})"), "/frame/points", "four points");
  expectProblem(frame(R"({"plane": "xz", "scale": 2, "points": )" + pointsText() + "}"), "/frame/scale", "unknown key");
  fit::Corners line = square;
  line[3] = 0.5 * (line[0] + line[1]);
  expectProblem(frame(R"({"plane": "xz", "points": )" + pointsText(0, line) + "}"), "/frame/points",
                "points 0, 1 and 3 lie on a line in the plane");
  expectProblem(frame(R"({"plane": "xz", "sigma": 1, "points": )" + pointsText() + "}"), "/frame/sigma",
                "expected \"fit\": true");
  const auto columns = [&](const std::string& text) { return planText(young, table, text, cameraFrame()); };
  expectProblem(columns(R"({"z": {"probe": "tip.z", "sigma": 1}})"), "/columns/z/probe", "an image has no z");
  expectProblem(columns(R"({"x": {"probe": "force.x", "sigma": 1}})"), "/columns/x/probe", "no coordinate of a place");
  expectProblem(columns(R"({"x": {"probe": "force.x", "sigma": 1, "frame": false}})"), "/frame",
                "no column is seen through the frame");
  expectProblem(planText(young, table, R"({"x": {"probe": "tip.x", "sigma": 1, "frame": true}})", ""),
                "/columns/x/frame", "the data have no \"frame\"");
}

/// Beyond the horizon as the run begins, and as a search goes on.
TEST(FitFrames, PointsThatTheCameraCannotSeeAreRefused) {
  const std::string table = R"("t,x\n0.1,100\n0.2,99\n")", tip = R"({"x": {"probe": "tip.x", "sigma": 1}})";
  // Seen along the plane: what is at x = 0.06 is on the horizon.
  const std::string flat =
      R"({"plane": "xz", "points": [{"plane": [0, 0], "image": [0, 0]}, {"plane": [0, 0.02], "image": [0, 100]},
          {"plane": [0.03, 0], "image": [300, 0]}, {"plane": [0.03, 0.02], "image": [300, 200]}]})";
  expectProblem(planText(young, table, tip, flat), "/frame", "as the run begins, a point lies on the camera's horizon");
  std::string text = planText(R"("L": {"min": 0.02, "max": 0.09, "start": 0.05})", table, tip, flat);
  const fit::Plan plan = good(text);
  fit::ExactRuns runs;
  fit::PlanResiduals residuals(plan, runs);
  Eigen::VectorXd r, z = residuals.starts();
  EXPECT_TRUE(residuals.evaluate(z, r, nullptr)) << residuals.why();
  z[0] = 1;
  EXPECT_FALSE(residuals.evaluate(z, r, nullptr));
  EXPECT_NE(residuals.why().find("experiment 0, column \"x\": a point lies on the camera's horizon"), std::string::npos)
      << residuals.why();
}

/// Over many draws of the noise, deviations from the truth are as large as the standard errors say.
TEST(FitFrames, HaveTheErrorsThatTheySayOverManyFilms) {
  const Film film = filmOf({{"E", trueE}});
  for (const bool isTracker : {true, false}) {
    fit::Plan plan = good(isTracker ? trackerPlan(young, R"({"scale": 800, "translation": [0.3, 0, 0.3], "fit": true})")
                                    : cameraPlan(young, cameraFrame(R"(, "fit": true)", 5)));
    const std::map<std::string, double> truth = isTracker ? trackerTruth() : cameraTruth();
    constexpr int films = 150;
    Eigen::VectorXd squares = Eigen::VectorXd::Zero(Eigen::Index(plan.unknowns.size()));
    for (int seed = 0; seed < films; ++seed) {
      fit::Generator noise(std::uint64_t(seed) + 100);
      Eigen::MatrixXd& data = plan.experiments[0].data;
      for (Eigen::Index row = 0; row < data.rows(); ++row) {
        Eigen::Index column = 0;
        for (const Vec3& place : film.places[std::size_t(row)])
          for (const double value : isTracker ? tracked(place) : photographed(place))
            data(row, column++) = value + (isTracker ? trackerSigma : cameraSigma) * noise.normal();
      }
      const fit::FitResult result = fit::fitPlan(plan, ownRuns);
      ASSERT_EQ(result.best, 0);
      for (Eigen::Index u = 0; u < squares.size(); ++u) {
        const double away = result.values[u] - truth.at(plan.unknowns[std::size_t(u)].name);
        squares[u] += std::pow(away / result.standardErrors[u], 2);
      }
    }
    // The spread of so many has a standard deviation of 0.06.
    for (Eigen::Index u = 0; u < squares.size(); ++u) {
      EXPECT_GT(std::sqrt(squares[u] / films), 0.8) << plan.unknowns[std::size_t(u)].name;
      EXPECT_LT(std::sqrt(squares[u] / films), 1.2) << plan.unknowns[std::size_t(u)].name;
    }
  }
}

}  // namespace fit_frames_test
}  // namespace tendril::test
