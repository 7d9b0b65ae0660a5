// A number of a scene: a constant, or a formula that is parsed once when the scene loads (docs/scenes.md).
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tendril::formula {

/// What a formula can see when it is evaluated. SI units; a formula that does not see a name ignores its field.
struct Input {
  double t = 0;                        ///< time [s]
  double s = 0, u = 0;                 ///< arc length from the rod's start [m], s / L
  double x = 0, y = 0, z = 0;          ///< initial position [m]
  double i = 0, n = 0;                 ///< 0-based index of the spring, edge or node, and how many there are
  const double* place = nullptr;       ///< of a force's point: Place::count numbers
  const double* parameters = nullptr;  ///< Scene::values, one per parameter
  const double* columns = nullptr;     ///< probe columns (Scene::columns), then states, of the last accepted step
};

/// The point that a force acts on, as its formula sees it, in the order of derivatives: place x y z [m], unit tangent
/// tx ty tz of a rod or normal nx ny nz of a shell, velocity vx vy vz [m/s], initial place X Y Z [m].
struct Place {
  static constexpr int x = 0, direction = 3, velocity = 6, initial = 9, count = 12;
  static constexpr int slopes = 9;  ///< the numbers that forces are differentiated by: all that change
  static constexpr int curves = 6;  ///< and those that potentials are, which see no velocity
};

/// What a formula sees of a Place.
struct PlaceUse {
  bool present = false, tangent = false, normal = false, velocity = false, initial = false;

  bool now() const { return present || tangent || normal || velocity; }
  PlaceUse& operator|=(const PlaceUse& other) {
    present |= other.present, tangent |= other.tangent, normal |= other.normal;
    velocity |= other.velocity, initial |= other.initial;
    return *this;
  }
};

/// A value and its derivatives by the first Place::slopes numbers of a place.
struct Slopes {
  double value = 0;
  double by[Place::slopes] = {};
};

/// A value and its derivatives, up to second order, by the first Place::curves numbers of a place.
struct Curves {
  double value = 0;
  double by[Place::curves] = {};
  double twice[Place::curves * (Place::curves + 1) / 2] = {};  ///< lower triangle, row by row
};

/// A formula gave NaN, infinity or an invalid value during a run. `what()` names the formula, its location in the file
/// and the time.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Formula;       // the compiled form, formula/formula.h
struct NumberRange;  // formula/number_range.h

/// The message for a value outside the range of the key at `path`.
using RangeWords = std::string (*)(std::string_view path, double value);

/// A constant or a compiled formula; cheap to copy.
class Number {
 public:
  Number(double value = 0) : value_(value) {}  // implicit: a literal in a scene is a Number
  explicit Number(std::shared_ptr<const Formula> formula) : formula_(std::move(formula)) {}

  /// Value for the given input. Throws Failure where the formula yields NaN or infinity, or leaves its range.
  double operator()(const Input& input) const { return formula_ ? evaluate(input) : value_; }

  /// The same with exact derivatives. Throws Failure too where one of them is not finite.
  Slopes slopes(const Input& input) const;
  Curves curves(const Input& input) const;

  /// The same number; a formula of time throws Failure in a run where it leaves `range`, which must outlive it.
  Number limitedTo(const NumberRange& range, const std::string& path, RangeWords words) const;

  bool isFormula() const { return formula_ != nullptr; }
  bool isTimed() const;        ///< sees t, a probe or a state: changes within a run
  bool seesColumns() const;    ///< sees a probe or a state (feedback)
  bool isField() const;        ///< sees s u x y z i or n: varies over the body
  bool seesArcLength() const;  ///< sees s or u, which shells lack
  PlaceUse place() const;      ///< what it sees of the point that it acts on
  bool isZero() const { return !formula_ && value_ == 0; }
  const Formula* formula() const { return formula_.get(); }  ///< null for a constant
  std::string text() const;                                  ///< the formula as written, or the number in shortest form

 private:
  double evaluate(const Input& input) const;
  double value_ = 0;
  std::shared_ptr<const Formula> formula_;
};

}  // namespace tendril::formula
