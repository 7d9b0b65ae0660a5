// Plans of fits: what they mean, and what is said of everything that is wrong with one.
#include "fit/plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/fit/good_plan.h"
#include "fit/experiments.h"
#include "fit/plan_residuals.h"

namespace tendril::test {
namespace fit_plan_test {

/// A mass on a spring of a rod: quick to run.
const char* const scene = R"json({"format": "tendril/1",
  "parameters": {"E": {"value": 2e6, "min": 1e5, "max": 1e8, "scale": "log", "unit": "Pa"}, "g": {"value": 9.81}, "half": "=E/2"},
  "materials": {"rubber": {"youngs": "=E", "poisson": 0.5, "density": 1200, "damping": 2e3}},
  "rods": {"arm": {"section": {"circle": {"radius": 3e-3}}, "segments": 6, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}, "material": "rubber"}},
  "series": {"kappa": {"time": [0, 0.2], "value": [0, 4]}}, "actuation": [{"rod": "arm", "curvature": [0, "=kappa(t)"]}],
  "constraints": [{"clamp": "arm:first"}], "environment": {"gravity": [0, 0, "=-g"]},
  "solver": {"dt": 0.01, "duration": 0.2}, "probes": {"tip": {"position": "arm:last"}}})json";

const std::string table = R"("t,x,z\n0,0.1,0\n0.1,0.099,-0.02\n0.2,,-0.03\n")";
const std::string columns = R"({"z": {"probe": "tip.z", "sigma": 1e-3}})";
const std::string unknowns = R"("E": {"min": 1e5, "max": 1e7, "scale": "log"})";

std::string planOf(const std::string& of, const std::string& data, const std::string& more = "") {
  return R"({"format": "tendril-fit/1", "scene": "arm.json", "unknowns": {)" + of + R"(}, "experiments": [)" + data +
         "]" + (more.empty() ? "" : ", " + more) + "}";
}

std::string experiment(const std::string& csv = table, const std::string& what = columns,
                       const std::string& more = "") {
  return R"({"data": {"csv": )" + csv + R"(, "columns": )" + what + "}" + (more.empty() ? "" : ", " + more) + "}";
}

std::variant<fit::Plan, Problems> read(const std::string& text) {
  return fit::readPlan(text, [](const std::string& name) -> fit::FileText {
    if (name == "arm.json") return {scene, {}};
    return {{}, "cannot read " + name};
  });
}

fit::Plan good(const std::string& text) { return test::goodPlan(read(text)); }

/// The first problem, "pointer: message".
std::string wrong(const std::string& text) {
  const auto plan = read(text);
  const auto* problems = std::get_if<Problems>(&plan);
  return problems ? problems->front().pointer + ": " + problems->front().message : "nothing is wrong";
}

void expectProblem(const std::string& text, const std::string& pointer, const std::string& words) {
  const std::string found = wrong(text);
  EXPECT_EQ(found.substr(0, found.find(": ")), pointer) << found;
  EXPECT_NE(found.find(words), std::string::npos) << found << "\nexpected: " << words;
}

TEST(FitPlan, KnowsUnknownsDataGapsAndWhatIsHeldBack) {
  const fit::Plan plan = good(planOf(
      unknowns +
          R"(, "late": {"min": -0.05, "max": 0}, "up": {"min": -1, "max": 1, "prior": {"value": 0.1, "sigma": 2}})",
      experiment(table, R"({"x": {"probe": "tip.x", "sigma": 2e-3},
                            "z": {"probe": "tip.z", "sigma": 1e-3, "delay": 0, "offset": "up"}})") +
          "," +
          experiment(R"("t,z\n0.05,-0.01\n0.1,-0.02\n")", R"({"z": {"probe": "tip.z", "sigma": 1, "delay": "late"}})",
                     R"("set": {"g": 5})"),
      R"("hold": [{"experiment": 0, "rows": [1]}, {"experiment": 1, "from": 0.1}], "loss": {"huber": 4e-3}, "starts": 3, "seed": 9)"));
  ASSERT_EQ(plan.unknowns.size(), 3u);
  EXPECT_TRUE(plan.unknowns[0].logarithmic && plan.unknowns[0].ofScene);
  EXPECT_EQ(plan.unknowns[0].start, 2e6);
  EXPECT_EQ(plan.unknowns[0].unit, "Pa");
  EXPECT_NEAR(plan.unknowns[0].value(0.5), 1e6, 1e-6);
  EXPECT_FALSE(plan.unknowns[1].ofScene);
  EXPECT_NEAR(plan.unknowns[2].priorResidual(0.75), 0.2, 1e-12);
  ASSERT_EQ(plan.experiments.size(), 2u);
  EXPECT_TRUE(std::isnan(plan.experiments[0].data(2, 0)));
  EXPECT_EQ(plan.experiments[0].held, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(plan.experiments[1].held, (std::vector<bool>{false, true}));
  EXPECT_EQ(plan.experiments[1].set.at("g"), 5);
  EXPECT_EQ(fit::dataCount(plan), 4) << "six, a gap and a row less, and one of two";
  EXPECT_EQ(plan.huber, 4e-3);
  EXPECT_EQ(plan.starts, 3);
}

/// Every derivative that the residuals give, those by delay, offset and prior too.
TEST(FitPlan, ResidualsHaveTheJacobianOfTheirDifferences) {
  const fit::Plan plan = good(planOf(
      unknowns +
          R"(, "late": {"min": -0.05, "max": 0.01, "start": -0.024}, "up": {"min": -1, "max": 1, "prior": {"value": 0.1, "sigma": 2}},
                 "g": {"min": 1, "max": 9.81})",
      experiment(R"("t,z\n0.06,-0.02\n0.1,-0.025\n0.14,-0.03\n")",
                 R"({"z": {"probe": "tip.z", "sigma": 1e-3, "delay": "late", "offset": "up"}})")));
  fit::DifferencedRuns runs;
  fit::PlanResiduals residuals(plan, runs);
  const Eigen::VectorXd z = residuals.starts();
  Eigen::VectorXd r, plus, minus;
  Eigen::MatrixXd J;
  ASSERT_TRUE(residuals.evaluate(z, r, &J)) << residuals.why();
  ASSERT_EQ(J.rows(), 4);
  for (Eigen::Index u = 0; u < 3; ++u) {
    constexpr double h = 1e-3;
    ASSERT_TRUE(residuals.evaluate(z + h * Eigen::VectorXd::Unit(4, u), plus, nullptr));
    ASSERT_TRUE(residuals.evaluate(z - h * Eigen::VectorXd::Unit(4, u), minus, nullptr));
    EXPECT_LT(((plus - minus) / (2 * h) - J.col(u)).norm(), 1e-3 * J.col(u).norm()) << u;
  }
  // g starts at its upper bound: three points on one side.
  ASSERT_EQ(z[3], 1);
  Eigen::VectorXd one, two;
  constexpr double h = 1e-2;
  ASSERT_TRUE(residuals.evaluate(z - h * Eigen::VectorXd::Unit(4, 3), one, nullptr));
  ASSERT_TRUE(residuals.evaluate(z - 2 * h * Eigen::VectorXd::Unit(4, 3), two, nullptr));
  EXPECT_LT(((3 * r - 4 * one + two) / (2 * h) - J.col(3)).norm(), 1e-3 * J.col(3).norm());
}

TEST(FitPlan, MakesParametersOfTheKnotsOfASeries) {
  const std::string bend =
      R"("bend": {"series": "kappa", "min": -40, "max": 40, "knots": 3, "prior": {"value": 0, "sigma": 10}})";
  fit::Plan plan = good(planOf(bend, experiment()));
  ASSERT_EQ(plan.unknowns.size(), 3u);
  EXPECT_EQ(plan.unknowns[1].name, "bend_1");
  EXPECT_TRUE(plan.unknowns[1].ofScene && plan.unknowns[1].prior);
  EXPECT_EQ(plan.unknowns[0].start, 0);
  EXPECT_EQ(plan.unknowns[1].start, 2) << "between 0 at 0 s and 4 at 0.2 s";
  EXPECT_EQ(plan.unknowns[2].start, 4);
  EXPECT_EQ(good(planOf(R"("bend": {"series": "kappa", "min": -40, "max": 40})", experiment())).unknowns.size(), 2u);
  // A knot acts between its neighbors alone.
  fit::DifferencedRuns runs;
  fit::PlanResiduals residuals(plan, runs);
  Eigen::VectorXd r;
  Eigen::MatrixXd J;
  ASSERT_TRUE(residuals.evaluate(residuals.starts(), r, &J)) << residuals.why();
  EXPECT_LT(std::abs(J(1, 2)), 1e-6 * std::abs(J(1, 1))) << "the last knot, at the time of the middle one";
  EXPECT_NE(J(1, 1), 0);
  EXPECT_NE(J(2, 2), 0);
  expectProblem(planOf(R"("bend": {"series": "kapa", "min": 0, "max": 1})", experiment()), "/unknowns/bend/series",
                "the scene has no series \"kapa\"; did you mean \"kappa\"?");
  expectProblem(planOf(R"("bend": {"series": "kappa", "knots": [0, 0], "min": 0, "max": 1})", experiment()),
                "/unknowns/bend/knots/1", "does not follow 0");
  expectProblem(planOf(R"("bend": {"series": "kappa", "knots": 1, "min": 0, "max": 1})", experiment()),
                "/unknowns/bend/knots", "a whole number from 2 to 200, or a list of times");
  expectProblem(planOf(R"("bend": {"series": "kappa", "min": 1, "max": 9})", experiment()), "/unknowns/bend",
                "the scene's value 0 is outside of the bounds");
  expectProblem(planOf(R"("bend": {"knots": 4, "min": 0, "max": 1})", experiment()), "/unknowns/bend",
                "which is missing");
}

TEST(FitPlan, PointsAtUnknownsThatCannotBe) {
  expectProblem(
      planOf(R"("EE": {"min": 1, "max": 2})", experiment()), "/unknowns/EE",
      "unknown parameter \"EE\"; expected one of E, g; nor is it the delay or offset of a column, or a number of a frame");
  expectProblem(planOf(R"("half": {"min": 1, "max": 2})", experiment()), "/unknowns/half",
                "formula of other parameters");
  expectProblem(planOf(R"("E": {"min": 1e7, "max": 1e5})", experiment()), "/unknowns/E",
                "min 10000000 is not below max 100000");
  expectProblem(
      planOf(R"("E": {"min": 1e7, "max": 1e8})", experiment()), "/unknowns/E",
      "the scene's value 2000000 is outside of the bounds, 10000000 to 100000000; widen them, or give a \"start\"");
  expectProblem(planOf(R"("E": {"min": 1e5, "max": 1e8, "start": 1})", experiment()), "/unknowns/E", "the start 1 is");
  expectProblem(planOf(R"("E": {"min": 0, "max": 1e8, "scale": "log"})", experiment()), "/unknowns/E", "no logarithm");
  expectProblem(planOf(R"("g": {"max": 10})", experiment()), "/unknowns/g", "no range of its own");
  expectProblem(planOf(R"("E": {"min": "low", "max": 10})", experiment()), "/unknowns/E/min", "found a text");
  expectProblem(planOf(R"("E": {"mni": 1, "max": 10})", experiment()), "/unknowns/E/mni", "did you mean \"min\"?");
  expectProblem(planOf("", experiment()), "/unknowns", "at least one unknown");
}

/// What is chosen for the method, and not measured.
TEST(FitPlan, RefusesWhatStepsAndCountsDependOn) {
  const auto withParameter = [](const std::string& name, const std::string& value, const std::string& old,
                                const std::string& now) {
    std::string text = scene;
    text.replace(text.find("\"g\": {"), 0, "\"" + name + "\": " + value + ", ");
    text.replace(text.find(old), old.size(), now);
    return text;
  };
  const auto expectRefused = [](const std::string& text, const std::string& name, const std::string& bounds,
                                const std::string& words) {
    std::string plan = planOf("\"" + name + "\": " + bounds + ", " + unknowns, experiment());
    plan.replace(plan.find("\"arm.json\""), 10, text);
    expectProblem(plan, "/unknowns/" + name, words);
  };
  expectRefused(withParameter("h", "0.01", "\"dt\": 0.01", "\"dt\": \"=h\""), "h", R"({"min": 5e-3, "max": 0.02})",
                "the solver's \"dt\" depends on \"h\"");
  expectRefused(withParameter("T", "0.2", "\"duration\": 0.2", "\"duration\": \"=T\""), "T",
                R"({"min": 0.2, "max": 0.4})", "the solver's \"duration\" depends on \"T\"");
  expectRefused(withParameter("pieces", "6", "\"segments\": 6", "\"segments\": \"=pieces\""), "pieces",
                R"({"min": 4, "max": 8})", "\"pieces\" sets how many there are of something");
  // A bound where the scene cannot be hides nothing.
  expectRefused(withParameter("h", "0.01", "\"dt\": 0.01", "\"dt\": \"=h\""), "h", R"({"min": -1, "max": 0.02})",
                "the solver's \"dt\" depends on \"h\"");
}

TEST(FitPlan, PointsAtDataThatCannotBe) {
  const std::string csv = "/experiments/0/data/csv";
  expectProblem(planOf(unknowns, experiment(table, R"({"y": {"probe": "tip.z", "sigma": 1}})")),
                "/experiments/0/data/columns/y", "the table has no column \"y\"; it has t, x, z");
  expectProblem(planOf(unknowns, experiment(table, R"({"z": {"probe": "tipp.z", "sigma": 1}})")),
                "/experiments/0/data/columns/z/probe", "did you mean \"tip.z\"?");
  expectProblem(planOf(unknowns, experiment(table, R"({"z": {"sigma": 1}})")), "/experiments/0/data/columns/z",
                "\"probe\" is missing");
  expectProblem(planOf(unknowns, experiment(table, R"({"z": {"probe": "tip.z", "sigma": 0}})")),
                "/experiments/0/data/columns/z/sigma", "expected a number greater than 0");
  expectProblem(
      planOf(unknowns, experiment(table, R"({"x": {"probe": "tip.x", "sigma": 1}, "z": {"probe": "tip.z"}})")),
      "/experiments/0/data/columns/z", "\"sigma\" is missing, which other columns have");
  expectProblem(planOf(unknowns, experiment(table, R"({"z": {"probe": "tip.z", "sigma": 1, "delay": "d"}})")),
                "/experiments/0/data/columns/z/delay", "not among the unknowns");
  expectProblem(planOf(unknowns, experiment(R"("t,z\n0,0\n0.3,-0.02\n")")), csv,
                "the last time is 0.3 s of the run, which ends at 0.2 s");
  expectProblem(planOf(unknowns, experiment(R"("t,z\n-0.1,0\n0.1,-0.02\n")")), csv, "before it begins");
  expectProblem(planOf(unknowns + R"(, "late": {"min": 0, "max": 0.05})",
                       experiment(table, R"({"z": {"probe": "tip.z", "sigma": 1, "delay": "late"}})")),
                csv, "the first time is -0.05 s of the run with the delay of column \"z\"");
  expectProblem(planOf(unknowns, experiment(R"("t,z\n0,0\n0.1,oops\n")")), csv,
                "in the table, line 3: \"oops\" in column \"z\" is not a finite number");
  expectProblem(planOf(unknowns, experiment(R"("t,z\n0,0\n0.1,inf\n")")), csv, "line 3: \"inf\"");
  expectProblem(planOf(unknowns, experiment(R"("t,z\n0,0\n0.1,nan\n")")), csv, "an empty cell for a gap");
  expectProblem(planOf(unknowns, experiment(R"("t,z\n0,\n0.1,\n")")), "/experiments/0/data/columns/z", "only gaps");
  expectProblem(planOf(unknowns, experiment(R"("t,z\n0,0\n0.1\n")")), csv, "line 3: 1 cells; expected 2");
  expectProblem(planOf(unknowns, experiment(R"("t,z\n0.1,0\n0.1,0\n")")), csv, "does not follow 0.1");
  expectProblem(planOf(unknowns, experiment(R"("time,z\n0,0\n")")), "/experiments/0/data", "no column \"t\"");
  expectProblem(planOf(unknowns, experiment(R"("0,1\n0,0\n")")), csv, "line 1: expected a header");
  expectProblem(planOf(unknowns, experiment("\"film.csv\"")), csv, "cannot read film.csv");
  expectProblem(planOf(unknowns, experiment(table, columns, R"("set": {"G": 1})")), "/experiments/0/set/G",
                "did you mean \"g\"?");
  expectProblem(planOf(unknowns, experiment(table, columns, R"("set": {"E": 1e6})")), "/experiments/0/set/E",
                "is an unknown of the plan");
  expectProblem(planOf(unknowns, experiment(table, columns, R"("frame": {"fit": true})")), "/experiments/0/frame",
                "belongs to \"data\"");
}

TEST(FitPlan, PointsAtWhatIsTooLittleAndAtWhatIsNotThere) {
  const std::string one = experiment(R"("t,z\n0.1,-0.02\n0.2,\n")");
  expectProblem(planOf(unknowns + R"(, "g": {"min": 1, "max": 10})", one), "/experiments",
                "1 numbers to fit to are fewer than the 2 unknowns");
  expectProblem(planOf(unknowns, experiment(), R"("hold": [0])"), "/experiments", "0 numbers to fit to");
  expectProblem(planOf(unknowns, experiment(R"("t,z\n0.1,0\n")", R"({"z": {"probe": "tip.z"}})")), "/experiments",
                "leave none to estimate errors from");
  expectProblem(planOf(unknowns, experiment(), R"("hold": [1])"), "/hold/0", "there is no experiment 1");
  expectProblem(planOf(unknowns, experiment(), R"("hold": [{"experiment": 0, "rows": [3]}])"), "/hold/0/rows/0",
                "there is no row 3; the experiment has 3");
  expectProblem(planOf(unknowns, experiment(), R"("hold": [{"experiment": 0, "from": 1}])"), "/hold/0", "no row");
  expectProblem(planOf(unknowns, experiment(), R"("loss": {"huber": -1})"), "/loss/huber", "greater than 0");
  expectProblem(planOf(unknowns, experiment(), R"("starts": 0)"), "/starts", "a whole number from 1 to 1000");
  expectProblem(planOf(unknowns, experiment(), R"("minimize": "=tip.z@end")"), "/experiments", "or \"minimize\"");
  expectProblem(planOf(unknowns, experiment(), R"("sequential": true)"), "/sequential", "\"E\" is no knot of a series");
  expectProblem(planOf(unknowns, experiment(), R"("stars": 2)"), "/stars", "did you mean \"starts\"?");
  expectProblem(planOf(R"("E": {"min": 1e5, "max": 1e7, "prior": {"value": 1e6, "sigma": 0.1}})",
                       experiment(table, R"({"z": {"probe": "tip.z"}})")),
                "/unknowns", "priors need the \"sigma\"");
  expectProblem(R"({"format": "tendril-fit/1", "scene": "leg.json"})", "/scene", "cannot read leg.json");
  expectProblem(R"({"format": "tendril/1"})", "/format", "this is a scene; expected a plan");
  expectProblem("[]", "", "tendril-fit/1");
  expectProblem("{", "", "");
}

}  // namespace fit_plan_test
}  // namespace tendril::test
