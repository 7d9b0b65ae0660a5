// The formula language: values, precedence, what each place may see, and the messages of everything that is wrong.
#include "formula/formula.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/types.h"
#include "text/words.h"

namespace tendril::formula {
namespace formula_test {

struct World {
  Scope scope;
  Sight sight;
  text::Bindings bindings;
  std::vector<double> parameters = {2e6, 0.25, 7};
  std::vector<double> columns = {0.5, -1.5, 40};

  World() {
    scope.parameters = {{"E", 0}, {"ratio", 1}, {"height", 2}};
    scope.columns = {{"tip.x", 0}, {"tip.z", 1}, {"height", 2}};
    auto limb = std::make_shared<Series>();
    limb->time = {0, 0.5, 1.5};
    limb->columns = {{"value", {1, 2, 4}}, {"phi0", {0, 10, 0}}};
    scope.series["limb"] = limb;
    auto steps = std::make_shared<Series>(*limb);
    steps->step = true;
    scope.series["steps"] = steps;
    sight = {true, true, true, false, false};
  }

  std::shared_ptr<const Formula> compile(const std::string& text) const {
    const auto result = compileFormula(text, scope, sight, bindings, {"/loads/0/force/2", 12, 5});
    if (const auto* error = std::get_if<Error>(&result)) ADD_FAILURE() << text << ": " << error->message;
    return std::holds_alternative<Error>(result) ? nullptr : std::get<0>(result);
  }
  double value(const std::string& text, double t = 0) const {
    const auto formula = compile(text);
    Input input;
    input.t = t;
    input.s = 0.1, input.u = 0.2, input.x = 3, input.y = 4, input.z = 5, input.i = 6, input.n = 8;
    input.parameters = parameters.data();
    input.columns = columns.data();
    return formula ? formula->value(input) : std::nan("");
  }
  Error error(const std::string& text) const {
    const auto result = compileFormula(text, scope, sight, bindings, {});
    if (std::holds_alternative<Error>(result)) return std::get<Error>(result);
    ADD_FAILURE() << text << " compiled";
    return {};
  }
};

TEST(Formula, PrecedenceIsThatOfTheContract) {
  const World w;
  EXPECT_EQ(w.value("=1+2*3"), 7);
  EXPECT_EQ(w.value("(1+2)*3"), 9);
  EXPECT_EQ(w.value("-2^2"), -4);
  EXPECT_EQ(w.value("2^3^2"), 512);
  EXPECT_EQ(w.value("2^-1"), 0.5);
  EXPECT_EQ(w.value("2^-1*4"), 2);
  EXPECT_EQ(w.value("8/4/2"), 1);
  EXPECT_EQ(w.value("8-4-2"), 2);
  EXPECT_EQ(w.value("2--5"), 7);
  EXPECT_EQ(w.value("+3"), 3);
  EXPECT_EQ(w.value("-t^2", 3), -9);
  EXPECT_EQ(w.value("1 < 2 == 1"), 1);
  EXPECT_EQ(w.value("1 + 1 < 2"), 0);
  EXPECT_EQ(w.value("!0 + 1"), 2);
  EXPECT_EQ(w.value("0 && 0 || 1"), 1);
  EXPECT_EQ(w.value("1 || 0 && 0"), 1);
  EXPECT_EQ(w.value("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(w.value("1 ? 2 : 3 + 10"), 2);
  EXPECT_EQ(w.value("t ? t > 1 ? 5 : 6 : 7", 2), 5);
  EXPECT_EQ(w.value("t ? t > 1 ? 5 : 6 : 7", 0.5), 6);
  EXPECT_EQ(w.value("t ? t > 1 ? 5 : 6 : 7", 0), 7);
}

TEST(Formula, ModuloHasTheDivisorsSign) {
  const World w;
  EXPECT_EQ(w.value("7 % 3"), 1);
  EXPECT_EQ(w.value("-7 % 3"), 2);
  EXPECT_EQ(w.value("(-7) % 3"), 2);
  EXPECT_EQ(w.value("7 % -3"), -2);
  EXPECT_EQ(w.value("mod(-1, 4)"), 3);
  EXPECT_EQ(w.value("mod(t, 4)", -1), 3);
}

TEST(Formula, LogicYieldsOneOrZeroAndStopsEarly) {
  const World w;
  EXPECT_EQ(w.value("3 && 4"), 1);
  EXPECT_EQ(w.value("3 || 4"), 1);
  EXPECT_EQ(w.value("0 || 4"), 1);
  EXPECT_EQ(w.value("!5"), 0);
  // What is not needed is not evaluated: 0/0 would make the result NaN.
  EXPECT_EQ(w.value("t && 1/t > 0", 0), 0);
  EXPECT_EQ(w.value("t == 0 || 1/t > 5", 0), 1);
  EXPECT_EQ(w.value("t == 0 ? 1 : sin(t)/t", 0), 1);
  EXPECT_EQ(w.value("(t > 0 && t < 1) + (t > 0 || t < -1)", 0.5), 2);
}

TEST(Formula, FunctionsHaveTheirValues) {
  const World w;
  EXPECT_EQ(w.value("sin(pi/2)"), 1);
  EXPECT_DOUBLE_EQ(w.value("atan2(1, -1)"), 3 * pi / 4);
  EXPECT_DOUBLE_EQ(w.value("log(e^2)"), 2);
  EXPECT_EQ(w.value("log10(1000)"), 3);
  EXPECT_EQ(w.value("sqrt(16) + abs(-2) + sign(-3) + sign(0)"), 5);
  EXPECT_EQ(w.value("floor(-1.5) + ceil(1.2) + round(2.5)"), 3);
  EXPECT_EQ(w.value("min(3, 1, 2)"), 1);
  EXPECT_EQ(w.value("max(t, 1, t + 2)", 5), 7);
  EXPECT_EQ(w.value("min(t)", 5), 5);
  EXPECT_EQ(w.value("clamp(t, 0, 1)", 7), 1);
  EXPECT_EQ(w.value("step(0) + step(-1e-9) + step(2)"), 2);
  EXPECT_EQ(w.value("ramp(t, 1, 3)", 0), 0);
  EXPECT_EQ(w.value("ramp(t, 1, 3)", 1.5), 0.25);
  EXPECT_EQ(w.value("ramp(t, 1, 3)", 9), 1);
  EXPECT_EQ(w.value("ramp(t, 1, 1)", 1), 1);
  EXPECT_EQ(w.value("smooth(t, 0, 2)", 1), 0.5);
  EXPECT_EQ(w.value("smooth(t, 0, 2)", 0.5), 0.15625);
  EXPECT_NEAR(w.value("sinh(1) - cosh(1) + tanh(0) + exp(0) + asin(0) + acos(1) + atan(0) + tan(0) + cos(0)"),
              2 - std::exp(-1.0), 1e-15);
}

TEST(Formula, NamesHideEachOtherInOrder) {
  World w;
  EXPECT_EQ(w.value("E*ratio"), 5e5);
  EXPECT_EQ(w.value("t + s + u", 1), 1 + 0.1 + 0.2);
  EXPECT_EQ(w.value("x + 10*y + 100*z + i/n"), 543.75);
  EXPECT_EQ(w.value("tip.x - tip.z"), 2);
  EXPECT_EQ(w.value("height"), 40) << "a probe hides a parameter";
  w.sight.columns = false;
  EXPECT_EQ(w.value("height"), 7) << "where probes are not seen they hide nothing";
  EXPECT_DOUBLE_EQ(w.value("e"), std::exp(1.0));
  w.scope.parameters["e"] = 1;
  EXPECT_EQ(w.value("e"), 0.25) << "a parameter hides e";
  w.bindings["k"] = 3;
  w.bindings["E"] = 5;
  EXPECT_EQ(w.value("k + E"), 8) << "a repeat name hides a parameter";
}

TEST(Formula, SeriesAreFunctionsWithHeldEnds) {
  const World w;
  EXPECT_EQ(w.value("limb(t)", -1), 1);
  EXPECT_EQ(w.value("limb(t)", 0.25), 1.5);
  EXPECT_EQ(w.value("limb(t)", 1), 3);
  EXPECT_EQ(w.value("limb(t)", 5), 4);
  EXPECT_EQ(w.value("2*limb.phi0(t - 0.25) + 1", 0.5), 11);
  EXPECT_EQ(w.value("steps(t)", 0.499), 1);
  EXPECT_EQ(w.value("steps(t)", 0.5), 2);
}

TEST(Formula, RandomIsTheContractsFunction) {
  const World w;
  const auto mix = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  };
  std::uint64_t h = 0;
  for (const std::int64_t a : {3, -4, 100}) h = mix(h + 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(a));
  const double expected = double(h >> 11) / 9007199254740992.0;
  EXPECT_EQ(w.value("random(3, -4, 100)"), expected);
  EXPECT_EQ(w.value("random(3.2, -3.9, 99.6)"), expected);
  // One argument: the first output of SplitMix64 seeded with 0 is 0xE220A8397B1DCDAF.
  EXPECT_EQ(w.value("random(0)"), double(0xE220A8397B1DCDAFull >> 11) / 9007199254740992.0);
  EXPECT_NE(w.value("random(1)"), w.value("random(2)"));
  double sum = 0;
  for (int k = 0; k < 1000; ++k) sum += w.value("random(7, t)", k);
  EXPECT_NEAR(sum / 1000, 0.5, 0.05);
}

TEST(Formula, KnowsWhatItSees) {
  World w;
  EXPECT_FALSE(w.compile("=2*E")->timed());
  EXPECT_EQ(w.compile("=2*E*height")->parametersUsed(), (std::vector<int>{0}));
  EXPECT_EQ(w.compile("=2*E*ratio*E")->parametersUsed(), (std::vector<int>{0, 1}));
  EXPECT_TRUE(w.compile("=sin(t)")->timed());
  EXPECT_TRUE(w.compile("=tip.z")->timed());
  EXPECT_TRUE(w.compile("=tip.z")->seesColumns());
  EXPECT_EQ(w.compile("=tip.z + tip.x")->columnsUsed(), (std::vector<int>{0, 1}));
  EXPECT_TRUE(w.compile("=s")->field());
  EXPECT_FALSE(w.compile("=t")->field());
  EXPECT_EQ(w.compile("= 2*E")->text(), "= 2*E");
}

TEST(Formula, WrongTextIsToldWithItsPlaceAndTheFix) {
  const World w;
  const struct {
    const char *text, *message;
    std::size_t at;
  } cases[] = {
      {"=", "empty", 0},
      {"", "empty", 0},
      {"=1+", "ends where a value is expected", 3},
      {"=(1", "\")\" is expected to close the bracket", 3},
      {"=1)", "closes nothing", 2},
      {"=1 2", "operator is missing", 3},
      {"=2 pi", "operator is missing before \"pi\"", 3},
      {"=2pi", "operator is missing", 2},
      {"=a = b", "unknown name \"a\"", 1},
      {"=E = 3", "write ==", 3},
      {"=E & 3", "write &&", 3},
      {"=E | 3", "write ||", 3},
      {"=1 < 2 < 3", "do not chain", 7},
      {"=1 ? 2", "\":\" is expected", 6},
      {"=1 : 2", "is allowed only after \"?\"", 3},
      {"=1, 2", "between the arguments", 2},
      {"=sin(1, 2)", "sin takes 1 argument: sin(x)", 1},
      {"=sin()", "sin takes 1 argument", 1},
      {"=atan2(1)", "atan2 takes 2 arguments: atan2(y, x)", 1},
      {"=random(1,2,3,4,5)", "1 to 4 arguments", 1},
      {"=min()", "one or more", 1},
      {"=ramp(t 0, 1)", "to close ramp(", 8},
      {"=sin", "is a function: write sin(x)", 1},
      {"=sinn(1)", "unknown function \"sinn\": did you mean \"sin\"?", 1},
      {"=limb.phi1(t)", "has no column \"phi1\"", 1},
      {"=limb", "limb is a series", 1},
      {"=limb()", "a series takes 1 argument", 1},
      {"=limb(t, 1)", "a series takes 1 argument", 1},
      {"=ratoi*2", "did you mean \"ratio\"?", 1},
      {"=tip.y", "did you mean \"tip.", 1},
      {"=tip", "several columns", 1},
      {"=E(3)", "E is a number, not a function", 1},
      {"=3 $ 4", "\"$\" does not belong", 3},
      {"=3 \xC2\xB5", "does not belong", 3},
      {"=1e999", "too large", 1},
      {"=1 +* 2", "value is expected before \"*\"", 4},
      {"=1.2.3", "operator is missing", 4},
  };
  for (const auto& c : cases) {
    const Error error = w.error(c.text);
    EXPECT_NE(error.message.find(c.message), std::string::npos) << c.text << ": " << error.message;
    EXPECT_EQ(error.at, c.at) << c.text << ": " << error.message;
  }
}

TEST(Formula, NamesOutsideTheirPlaceAreExplained) {
  World w;
  w.sight = {};
  EXPECT_NE(w.error("=t").message.find("read once, before the run"), std::string::npos);
  EXPECT_NE(w.error("=tip.x").message.find("timed values only"), std::string::npos);
  EXPECT_NE(w.error("=s").message.find("not a field"), std::string::npos);
  w.sight.position = true;
  EXPECT_EQ(w.value("x"), 3);
  EXPECT_NE(w.error("=u").message.find("x y z only"), std::string::npos);
  w.sight = {};
  w.sight.along = true;
  EXPECT_EQ(w.value("u"), 0.2);
  EXPECT_NE(w.error("=x").message.find("only u, from 0 to 1"), std::string::npos);
  w.sight = {};
  w.sight.timed = true;
  EXPECT_NE(w.error("=tip.x").message.find("dynamic runs only"), std::string::npos);
}

TEST(Formula, DepthAndLengthAreLimited) {
  const World w;
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int k = 0; k < count; ++k) all += text;
    return all;
  };
  EXPECT_NE(w.error("=" + repeated("(", 10000)).message.find("nested"), std::string::npos);
  EXPECT_NE(w.error("=" + repeated("-", 10000) + "1").message.find("nested"), std::string::npos);
  EXPECT_NE(w.error("=" + repeated("1?", 5000)).message.find("nested"), std::string::npos);
  EXPECT_NE(w.error("=" + repeated("2^", 9000) + "1").message.find("nested"), std::string::npos);
  EXPECT_NE(w.error("=" + repeated("sin(", 4000)).message.find("nested"), std::string::npos);
  EXPECT_NE(w.error("=" + repeated("1+", 20000) + "1").message.find("characters long"), std::string::npos);
  EXPECT_EQ(w.value("=" + repeated("(", 150) + "1" + repeated(")", 150)), 1);
  EXPECT_EQ(w.value("=" + repeated("t+", 5000) + "1", 1), 5001);
  std::string deep = "t";  // many values wait on the stack
  for (int k = 0; k < 90; ++k) deep = "random(t,t,t," + deep + ")";
  EXPECT_NE(w.error(deep).message.find("nested"), std::string::npos);
}

TEST(Formula, FailureNamesFormulaPlaceAndTime) {
  const World w;
  const auto formula = w.compile("=1/(t-2)");
  Input input;
  input.t = 2;
  try {
    formula->value(input);
    FAIL() << "no exception";
  } catch (const Failure& failure) {
    const std::string what = failure.what();
    for (const char* part : {"=1/(t-2)", "/loads/0/force/2", "line 12", "t = 2 s", "infinity"})
      EXPECT_NE(what.find(part), std::string::npos) << what;
  }
  input.t = 1;
  EXPECT_EQ(formula->value(input), -1);
  EXPECT_THROW(w.value("sqrt(-1)"), Failure);
  EXPECT_THROW(w.value("min(t, 0/0)"), Failure);
}

TEST(Number, ConstantsAndFormulas) {
  const World w;
  const Number constant = 0.1;
  EXPECT_EQ(constant(Input{}), 0.1);
  EXPECT_EQ(constant.text(), "0.1");
  EXPECT_FALSE(constant.isFormula());
  EXPECT_TRUE(Number(0.0).isZero());
  const Number formula(w.compile("=t*s"));
  EXPECT_TRUE(formula.isFormula() && formula.isTimed() && formula.isField());
  EXPECT_EQ(formula.text(), "=t*s");
  for (const double value : {1.0, 0.1, 1e-3, 2e10, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 123456789012345680.0})
    EXPECT_EQ(std::strtod(text::formatNumber(value).c_str(), nullptr), value);
  EXPECT_EQ(text::formatNumber(20), "20");
  EXPECT_EQ(text::formatNumber(2e10), "20000000000");
}

TEST(NearestName, FindsSlipsOnly) {
  const std::vector<std::string> known = {"radius", "curvature", "segments", "E"};
  EXPECT_EQ(text::nearestName("raduis", known), "radius");
  EXPECT_EQ(text::nearestName("Curvature", known), "curvature");
  EXPECT_EQ(text::nearestName("segment", known), "segments");
  EXPECT_EQ(text::nearestName("e", known), "E");
  EXPECT_EQ(text::nearestName("k", known), "");
  EXPECT_EQ(text::nearestName("banana", known), "");
  EXPECT_EQ(text::nearestName(std::string(100000, 'a'), known), "");
}

}  // namespace formula_test
}  // namespace tendril::formula
