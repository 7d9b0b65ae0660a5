// Derivatives of formulas by the point that they act on: against finite differences for every function and operator, at
// corners, and where there are none.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "formula/direction.h"
#include "formula/formula.h"

namespace tendril::formula {
namespace slopes_test {

struct World {
  Scope scope;
  std::vector<double> parameters = {1.7, -0.4}, columns = {0.5};

  World() {
    scope.parameters = {{"k", 0}, {"shift", 1}};
    scope.columns = {{"tip.x", 0}};
    auto table = std::make_shared<Series>();
    table->time = {-1, 0.2, 3};
    table->columns = {{"value", {1, 4, -2}}};
    scope.series["table"] = table;
  }
  Number compile(const std::string& text) const {
    Sight sight;
    sight.timed = sight.columns = sight.place = true;
    const auto result = compileFormula(text, scope, sight, {}, {"/loads/0/force/0", 3, 5});
    if (const auto* error = std::get_if<Error>(&result)) {
      ADD_FAILURE() << text << ": " << error->message;
      return {};
    }
    return Number(std::get<0>(result));
  }
  Input at(const double* place) const {
    Input in;
    in.t = 0.3, in.s = 0.2, in.u = 0.1, in.i = 2, in.n = 7;
    in.parameters = parameters.data(), in.columns = columns.data();
    in.place = place;
    return in;
  }
};

/// Every name of a place, all functions and operators that have slopes; positive places keep logarithms and powers
/// real.
const char* const formulas[] = {
    "x + y - z*k",
    "-x*y/z + tx*ty - tz/x",
    "x^3 + y^-2 + z^0.5 + x^y",
    "(x + vy)^2 - 2^(x*vz)",
    "sin(x*y) + cos(y - z) + tan(0.3*x)",
    "asin(0.4*x*ty) + acos(0.3*y) + atan(x*z) + atan2(x - 2*z, y + 0.5)",
    "sinh(x) - cosh(y*z) + tanh(x - y)",
    "exp(-x*x - y) + log(x + z) + log10(y)",
    "sqrt(x*x + y*y + z*z) + abs(x - 3*y) + abs(vz)",
    "min(x, y, z) + max(x*y, z) - clamp(x + y, 0.1, 5) + clamp(x, 4, 5)",
    "mod(x*7, y) + (x*5) % (1 + z)",
    "ramp(x, 0.1, 1 + y) + smooth(x + y, 0, 1 + 2*z) + ramp(x, 8, 9) + smooth(x, -2, -1)",
    "x > y ? x^2*z : y*z^2",
    "x < 9 && (y > 0 || z > 0) ? x*vx : 0",
    "step(x)*y + sign(y)*z + floor(x) + ceil(y) + round(z) + random(1, 2)*x",
    "table(x + y*z) + table(7)*x + table(k)*y",
    "X*x + Y*vy - Z*tz + s*x + u*y + i*z/n + t*x + tip.x*y",
    "(vx^2 + vy^2 + vz^2)^0.5*vx + (vx*tx + vy*ty + vz*tz)*tx",
    "!(x > y)*x + (x == x)*y + (x != y)*z + (x <= y) + (x >= y)",
};

struct Point {
  double place[Place::count];
  explicit Point(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.2, 1.1);
    for (double& p : place) p = uniform(random);
  }
};

TEST(FormulaSlopes, AreThoseOfFiniteDifferences) {
  const World world;
  for (const char* text : formulas) {
    const Number number = world.compile(text);
    for (unsigned seed = 1; seed <= 20; ++seed) {
      Point point(seed);
      const Slopes slopes = number.slopes(world.at(point.place));
      EXPECT_EQ(slopes.value, number(world.at(point.place))) << text;
      for (int k = 0; k < Place::slopes; ++k) {
        const double here = point.place[k];
        const auto difference = [&](double h) {
          point.place[k] = here + h;
          const double up = number(world.at(point.place));
          point.place[k] = here - h;
          const double down = number(world.at(point.place));
          point.place[k] = here;
          return (up - down) / (2 * h);
        };
        const double slope = (4 * difference(1e-4) - difference(2e-4)) / 3;
        EXPECT_NEAR(slopes.by[k], slope, 1e-8 * (1 + std::abs(slope))) << text << ", by " << k << ", seed " << seed;
      }
    }
  }
}

TEST(FormulaSlopes, CurvesAreSlopesOfSlopes) {
  const World world;
  for (const char* text : formulas) {
    const Number number = world.compile(text);
    for (unsigned seed = 1; seed <= 20; ++seed) {
      Point point(seed);
      const Curves curves = number.curves(world.at(point.place));
      const Slopes slopes = number.slopes(world.at(point.place));
      EXPECT_EQ(curves.value, slopes.value) << text;
      for (int r = 0, k = 0; r < Place::curves; ++r) {
        EXPECT_EQ(curves.by[r], slopes.by[r]) << text;
        for (int c = 0; c <= r; ++c, ++k) {
          const double here = point.place[c];
          const auto difference = [&](double h) {
            point.place[c] = here + h;
            const double up = number.slopes(world.at(point.place)).by[r];
            point.place[c] = here - h;
            const double down = number.slopes(world.at(point.place)).by[r];
            point.place[c] = here;
            return (up - down) / (2 * h);
          };
          const double curve = (4 * difference(1e-4) - difference(2e-4)) / 3;
          EXPECT_NEAR(curves.twice[k], curve, 1e-7 * (1 + std::abs(curve))) << text << ", by " << r << ", " << c;
        }
      }
    }
  }
}

// Along a change of parameters and columns together: all functions, with these in place of a point's numbers.
TEST(FormulaSlopes, AlongADirectionAreThoseOfFiniteDifferences) {
  World world;
  for (const char* text :
       {"k*tip.x + shift/tip.x", "sin(k) + atan2(shift, tip.x) + tip.x^k", "max(k, tip.x)^2 - min(shift, k)",
        "sqrt(k + tip.x)*exp(shift) - log(k)", "k > tip.x ? tip.x^2 : shift", "table(shift)*k",
        "smooth(tip.x, 0, k) + clamp(shift, -1, tip.x) + 3"}) {
    const Number number = world.compile(text);
    const std::vector<double> parameterSlopes = {0.7, 1.3}, columnSlopes = {-0.9};
    const World before = world;
    const auto valueAt = [&](double h) {
      for (std::size_t k = 0; k < 2; ++k) world.parameters[k] = before.parameters[k] + h * parameterSlopes[k];
      world.columns[0] = before.columns[0] + h * columnSlopes[0];
      const double value = number(world.at(nullptr));
      world.parameters = before.parameters, world.columns = before.columns;
      return value;
    };
    Direction direction;
    static_cast<Input&>(direction) = world.at(nullptr);
    direction.parameterSlopes = parameterSlopes.data(), direction.columnSlopes = columnSlopes.data();
    const double slope = (valueAt(1e-5) - valueAt(-1e-5)) / 2e-5;
    EXPECT_NEAR(slopeAlong(*number.formula(), direction), slope, 1e-8 * (1 + std::abs(slope))) << text;
  }
  const Number steep = world.compile("sqrt(tip.x - 0.5)");
  const std::vector<double> slopes = {1, 1};
  Direction direction;
  static_cast<Input&>(direction) = world.at(nullptr);
  direction.parameterSlopes = direction.columnSlopes = slopes.data();
  EXPECT_THROW(slopeAlong(*steep.formula(), direction), Failure);
}

// Quadratic drag begins at rest, where the slope of the speed alone is 0/0.
TEST(FormulaSlopes, ASpeedHasNoSlopeAtRest) {
  const World world;
  double place[Place::count] = {};
  for (const char* text : {"sqrt(vx^2 + vy^2 + vz^2)*vx", "(vx^2 + vy^2)^0.5*vx", "abs(vx)*vx"}) {
    const Slopes drag = world.compile(text).slopes(world.at(place));
    EXPECT_EQ(drag.value, 0) << text;
    for (const double by : drag.by) EXPECT_EQ(by, 0) << text;
  }
}

TEST(FormulaSlopes, AnInfiniteSlopeIsAFailureThatNamesTheFormula) {
  const World world;
  double place[Place::count] = {};
  const Number number = world.compile("sqrt(vx)");
  EXPECT_EQ(number(world.at(place)), 0);
  try {
    number.slopes(world.at(place));
    ADD_FAILURE() << "no failure";
  } catch (const Failure& failure) {
    EXPECT_NE(std::string(failure.what()).find("sqrt(vx)"), std::string::npos) << failure.what();
    EXPECT_NE(std::string(failure.what()).find("has no finite derivative"), std::string::npos) << failure.what();
  }
  EXPECT_THROW(world.compile("sqrt(x*x)").curves(world.at(place)), Failure);
  EXPECT_THROW(world.compile("1/x").slopes(world.at(place)), Failure);
}

TEST(FormulaSlopes, LongProgramsFindRoom) {
  const World world;
  std::string deep = "x";
  for (int k = 0; k < 60; ++k) deep = "y - (" + deep + ")";
  const Point point(1);
  EXPECT_EQ(world.compile(deep).slopes(world.at(point.place)).by[0], 1);
}

TEST(FormulaSlopes, ScenesOwnNamesHideThoseOfThePlace) {
  World world;
  world.scope.parameters["vx"] = 0;
  const Number number = world.compile("vx*x");
  EXPECT_EQ(number.formula()->hidden(), std::vector<std::string>{"vx"});
  const Point point(3);
  EXPECT_EQ(number.slopes(world.at(point.place)).by[0], world.parameters[0]);
  EXPECT_FALSE(number.formula()->place().velocity);
}

}  // namespace slopes_test
}  // namespace tendril::formula
