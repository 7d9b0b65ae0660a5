#include "tendril/machine.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <variant>

#include "geometry/frames.h"
#include "linear/blocks_of.h"
#include "linear/load_path.h"
#include "linear/modes.h"
#include "linear/state_space.h"
#include "scene/load/load.h"
#include "scene/place.h"
#include "simulation/columns.h"
#include "simulation/inside.h"
#include "simulation/side_by_side.h"
#include "simulation/whole_equations.h"

namespace tendril {
namespace {

using linear::Sparse;
using model::Equations;
using model::Nearby;

SparseMatrix plain(const Sparse& m) {
  SparseMatrix out;
  out.rows = static_cast<int>(m.rows()), out.columns = static_cast<int>(m.cols());
  for (int c = 0; c < m.outerSize(); ++c) {
    for (Sparse::InnerIterator it(m, c); it; ++it) {
      if (it.value() == 0) continue;
      out.row.push_back(static_cast<int>(it.row())), out.column.push_back(c), out.value.push_back(it.value());
    }
  }
  return out;
}

std::vector<double> plain(const VectorX& v) { return {v.data(), v.data() + v.size()}; }

// A change that a difference of order two can best tell, of what varies over 1: the cube root of round-off.
const double small = std::cbrt(std::numeric_limits<double>::epsilon());

std::string brief(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// Which loads keep a stiffness from being symmetric, in words.
std::string unsymmetric(const scene::Scene& scene) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& pointer, const char* what) {
    if (names.size() < 3) names.push_back(std::string(what) + " in " + pointer);
  };
  for (const scene::Load& l : scene.loads) {
    using Kind = scene::Load::Kind;
    if (l.kind == Kind::follower) add(l.pointer, "a follower force");
    if (l.kind == Kind::wrench) add(l.pointer, "a wrench");
    if (l.kind == Kind::moment) add(l.pointer, "a moment");
    if (l.kind == Kind::pressure) add(l.pointer, "pressure");
    if (l.kind == Kind::field && l.field.kind != scene::LoadField::Kind::potential)
      add(l.pointer, l.field.kind == scene::LoadField::Kind::moment ? "a field of moments" : "a field of forces");
  }
  for (const scene::Linkage& linkage : scene.linkages) {
    for (const scene::Link& link : linkage.links) {
      for (const scene::JointCoordinate& c : link.joint.coordinates) {
        if (!c.effort.isZero() && link.joint.coordinates.size() > 2) {
          add(link.joint.pointer, "an effort of a joint with several axes");
          break;
        }
      }
    }
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "something here has not" : "these may not have: " + text;
}

// Critical factors are uncertain by `error`, and that is too much: by what to do about it. Round-off in the stiffness
// of bending grows with the cube of the number of pieces, and somewhat more.
std::string tooFine(const scene::Scene& scene, double factor, double error, double promised) {
  const double share = std::cbrt(promised / error);
  std::string text = "round-off hides how the loads change the stiffness: the first factor is about " + brief(factor) +
                     ", and one of these is uncertain by " + brief(100 * error) + " %, more than " +
                     brief(100 * promised) + " %. Pieces are too short for double precision: ";
  const scene::Rod* finest = nullptr;
  for (const scene::Rod& rod : scene.rods) {
    if (!finest || rod.points.size() > finest->points.size()) finest = &rod;
  }
  if (!finest) return text + "take them " + brief(1 / share) + " times as long";
  const auto edges = static_cast<double>(finest->points.size() - 1);
  const double digit = std::pow(10, std::max(0.0, std::floor(std::log10(share * edges)) - 1));
  const auto fewer = static_cast<long>(std::max(1.0, digit * std::floor(share * edges / digit)));
  return text + "take about " + std::to_string(fewer) + " edges in \"" + finest->name + "\" in place of " +
         std::to_string(static_cast<long>(edges));
}

}  // namespace

struct Machine::Impl {
  explicit Impl(const Simulation& simulation) : own(Inside::copyOf(simulation)) {}

  Simulation own;
  std::optional<WholeEquations> equations;

  scene::Scene& scene() { return Inside::sceneIn(own); }
  SideBySide& side() { return Inside::modelIn(own); }

  WholeEquations& whole() {
    if (!equations) {
      try {
        equations = wholeEquations(side());
      } catch (const model::NoEquations& error) {
        throw NotLinear(error.what());
      }
    }
    return *equations;
  }

  /// All columns of probes near the state; with null at it.
  std::vector<double> observe(const Nearby* at) {
    const WholeEquations& w = whole();
    const auto& parts = side().parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!at) {
        parts[i].model->lookAt(nullptr);
        continue;
      }
      const int first = w.first[i], size = w.first[i + 1] - first;
      Nearby mine{at->move.segment(first, size), at->rates.segment(first, size),
                  at->accelerations.segment(first, size)};
      if (at->inputs.size() > 0)
        mine.inputs = at->inputs.segment(w.firstInput[i], w.firstInput[i + 1] - w.firstInput[i]);
      parts[i].model->lookAt(&mine);
    }
    ProbeColumns& columns = Inside::columnsIn(own);
    const std::vector<double> before = columns.all();
    columns.observe(side(), own.time());
    columns.takeWarnings();
    std::vector<double> out(columns.all().begin(), columns.all().begin() + static_cast<long>(scene().columns.size()));
    columns.all() = before;
    return out;
  }

  std::vector<int> indicesOf(const std::vector<std::string>& names) {
    std::vector<int> out;
    const std::vector<std::string>& all = scene().columns;
    for (const std::string& name : names) {
      const auto found = std::find(all.begin(), all.end(), name);
      if (found == all.end()) throw std::invalid_argument("there is no probe column \"" + name + "\"");
      out.push_back(static_cast<int>(found - all.begin()));
    }
    if (names.empty()) {
      for (int i = 0; i < static_cast<int>(all.size()); ++i) out.push_back(i);
    }
    return out;
  }

  /// Forces on all unknowns with parameter p at a value, then as it was.
  VectorX forcesWith(int parameter, double value) {
    const double before = scene().values[static_cast<std::size_t>(parameter)];
    const std::vector<double> prescribed = prescribedNow();
    const WholeEquations& w = whole();
    const auto& parts = side().parts();
    VectorX out(w.all.size());
    bool stays = true;
    try {
      setValue(parameter, value);
      stays = prescribedNow() == prescribed;
      for (std::size_t i = 0; i < parts.size() && stays; ++i) {
        const int first = w.first[i], size = w.first[i + 1] - first;
        VectorX mine;
        stays = parts[i].model->unbalanced(w.all.accelerations.segment(first, size), mine);
        if (stays) out.segment(first, size) = mine;
      }
    } catch (...) {
      setValue(parameter, before);
      throw;
    }
    setValue(parameter, before);
    if (!stays)
      throw NotLinear(
          "the parameter \"" + scene().parameters[static_cast<std::size_t>(parameter)].name +
          "\" moves supports or obstacles, whose rates matter too: it cannot be an input; use the effort that moves them");
    return out;
  }

  /// What supports, drives and obstacles are told at this time and around it, where rates and accelerations show.
  std::vector<double> prescribedNow() {
    std::vector<double> out;
    // No formula is asked before the run's start or beyond its end; statics see the end alone.
    const double end = own.duration(), t = own.isStatic() ? end : std::min(own.time(), end), dt = own.stepSize();
    formula::Input in;
    in.parameters = scene().values.data();
    in.columns = Inside::columnsIn(own).all().data();
    const auto see = [&](const formula::Number& number) { out.push_back(number(in)); };
    const auto seeAll = [&](const auto& numbers) {
      if (!numbers) return;
      for (const formula::Number& number : *numbers) see(number);
    };
    for (const double at : {t, std::max(0.0, t - dt), std::min(t + 0.5 * dt, end), std::min(t + dt, end)}) {
      in.t = at;
      for (const scene::Constraint& c : scene().constraints) {
        seeAll(c.displacement), seeAll(c.velocity), see(c.angle);
        for (const scene::Turn& turn : c.rotation) see(turn.angle);
      }
      for (const scene::Obstacle& o : scene().obstacles) seeAll(o.displacement), seeAll(o.velocity);
      for (const scene::Linkage& linkage : scene().linkages) {
        for (const scene::Link& link : linkage.links) {
          for (const scene::JointCoordinate& c : link.joint.coordinates) {
            if (c.driven) see(*c.driven);
          }
          for (const scene::Turn& turn : link.joint.turns) see(turn.angle);
        }
      }
    }
    return out;
  }

  void setValue(int parameter, double value) {
    const Problems problems = scene::setLiveParameter(scene(), parameter, value);
    if (!problems.empty())
      throw NotLinear("the parameter \"" + scene().parameters[static_cast<std::size_t>(parameter)].name +
                      "\" cannot vary around its value: " + problems.front().message);
    side().refresh();
  }

  /// The slope of of(by) at 0, of order two: from both sides, or from the one on which a parameter may vary.
  template <class Of>
  static VectorX slope(const Of& of, double h) {
    std::optional<VectorX> more, less;
    std::string why;
    try {
      more = of(h);
    } catch (const NotLinear& error) {
      why = error.what();
    }
    try {
      less = of(-h);
    } catch (const NotLinear& error) {
      why = error.what();
    }
    if (more && less) return (*more - *less) / (2 * h);
    if (!more && !less) throw NotLinear(why);
    const double way = more ? h : -h;
    const VectorX here = of(0), far = of(2 * way);
    return (-3 * here + 4 * (more ? *more : *less) - far) / (2 * way);
  }

  /// Each part to its share of what `list` says, or all as before.
  template <class Move>
  void moveParts(std::span<const double> list, const char* what, std::span<const double> rates, const Move& move) {
    const WholeEquations& w = whole();
    const auto n = static_cast<std::size_t>(w.all.size());
    if (list.size() != n || (!rates.empty() && rates.size() != n))
      throw std::invalid_argument("this machine has " + std::to_string(n) + " coordinates, and each needs " + what);
    const auto finite = [](std::span<const double> numbers) {
      return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
    };
    if (!finite(list) || !finite(rates)) throw std::invalid_argument("coordinates and rates must be finite");
    if (own.isStatic() && std::any_of(rates.begin(), rates.end(), [](double x) { return x != 0; }))
      throw std::invalid_argument("a static scene has no rates: leave them out, or give zeros");
    // So far away, or so far in a step, that round-off alone would move the shape.
    constexpr double seen = 1e-6;
    const auto refuse = [&](std::span<const double> numbers, double step, const char* of, const char* per) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double digits = std::numeric_limits<double>::epsilon() * std::abs(numbers[i]) * step;
        if (!(digits > seen * w.all.reach[static_cast<Eigen::Index>(i)])) continue;
        throw std::invalid_argument("the " + std::string(of) + " " + w.all.names[i] + " cannot be " +
                                    brief(numbers[i]) + " " + w.all.units[i] + per +
                                    ": there the digits of a double are too coarse for its shape");
      }
    };
    refuse(list, 1, "coordinate", ""), refuse(rates, own.isStatic() ? 0 : own.stepSize(), "rate of", "/s");
    const auto& parts = side().parts();
    Simulation backup = Inside::copyOf(own);
    try {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const int first = w.first[i], size = w.first[i + 1] - first;
        VectorX rate = VectorX::Zero(size);
        if (!rates.empty()) rate = Eigen::Map<const VectorX>(rates.data() + first, size);
        move(*parts[i].model, Eigen::Map<const VectorX>(list.data() + first, size), rate);
      }
      if (!holdsNumbers()) throw model::NoEquations("that state has no forces: it is too far away, or too fast");
    } catch (const std::exception& error) {
      own = std::move(backup);
      equations.reset();
      throw NotLinear(error.what());
    }
    equations.reset();
  }

  /// Whether every part knows its forces where it stands.
  bool holdsNumbers() {
    for (const SideBySide::Part& part : side().parts()) {
      model::Equations e;
      part.model->equations(e);
      if (!e.values.allFinite() || !e.rates.allFinite() || !e.forces.allFinite()) return false;
    }
    return true;
  }

  /// By how much an input parameter is changed for differences: as its value, its range, or one unit.
  double stepOf(int parameter) {
    const scene::Parameter& p = scene().parameters[static_cast<std::size_t>(parameter)];
    const double value = std::abs(scene().values[static_cast<std::size_t>(parameter)]);
    const double range = p.min && p.max ? 0.5 * (*p.max - *p.min) : 0;
    return small * (value > 0 ? value : range > 0 ? range : 1);
  }

  int parameterCalled(const std::string& name) {
    const auto& list = scene().parameters;
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const scene::Parameter& p) { return p.name == name; });
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  }

  /// Modes are those of what rests, also where it is driven. `slowest`: of the vibrations [rad/s].
  void refuseMotion(double slowest) {
    if (own.isStatic()) return;
    constexpr double still = 1e-6;
    double speed = 0, turn = 0;
    for (const BodyState& body : own.bodies()) {
      for (const double v : body.velocity) speed = std::max(speed, std::abs(v));
      for (const BodyState::LinkState& link : body.links) {
        for (const double v : link.v) turn = std::max(turn, std::abs(v));
      }
    }
    const double size = lengthOfAll();
    const std::string driven = drivenNow(still * slowest, false);
    if (!driven.empty())
      throw NotLinear(driven +
                      " moves at this time: modes are those of a state at rest (a static scene, or --at a time when it "
                      "rests)");
    if (speed > still * slowest * size || turn > still * slowest * std::max(1.0, size))
      throw NotLinear(
          "something moves here: modes are those of a state at rest (\"start\": \"equilibrium\" in solver, a static "
          "scene, or --at a time when it rests)");
  }

  /// What holds or drives something and moves it now: faster than `slow` [1/s], by the size of all, or, of drives of
  /// joints, at a rate that changes.
  std::string drivenNow(double slow, bool accelerates) {
    if (own.isStatic()) return {};
    // On the side where formulas go on, over so little that what they do is straight.
    const double end = own.duration(), t = std::min(own.time(), end), h = std::ldexp(own.stepSize(), -10);
    const double way = t + 2 * h <= end ? h : -h;
    formula::Input in;
    in.parameters = scene().values.data();
    in.columns = Inside::columnsIn(own).all().data();
    const double size = lengthOfAll();
    const auto at = [&](const formula::Number& number, double time) {
      in.t = time;
      return number(in);
    };
    const auto moves = [&](const formula::Number& number, double reach) {
      const double now = at(number, t), next = at(number, t + way), last = at(number, t + 2 * way);
      const double rate = std::abs(-3 * now + 4 * next - last) / (2 * h);
      const double rounded =
          64 * std::numeric_limits<double>::epsilon() * std::max({std::abs(now), std::abs(next), std::abs(last)}) / h;
      if (rate > std::max(slow * reach, rounded)) return true;
      // How much its rate changes in a step.
      const double dt = std::copysign(own.stepSize(), way), far = std::clamp(t + 2 * dt, 0.0, end);
      return accelerates && std::abs(at(number, far) - 2 * at(number, 0.5 * (t + far)) + now) / own.stepSize() >
                                std::max(slow * reach, rounded);
    };
    const auto anyMoves = [&](const auto& numbers, double reach) {
      return numbers && std::any_of(numbers->begin(), numbers->end(),
                                    [&](const formula::Number& number) { return moves(number, reach); });
    };
    for (const scene::Constraint& c : scene().constraints) {
      bool moved = anyMoves(c.displacement, size) || moves(c.angle, 1);
      for (const scene::Turn& turn : c.rotation) moved = moved || moves(turn.angle, 1);
      if (c.velocity) {
        for (const formula::Number& number : *c.velocity) moved = moved || std::abs(at(number, t)) > slow * size;
      }
      if (moved) return "the support in " + c.pointer;
    }
    for (const scene::Linkage& linkage : scene().linkages) {
      for (const scene::Link& link : linkage.links) {
        bool moved = false;
        for (const scene::JointCoordinate& c : link.joint.coordinates)
          moved = moved || (c.driven && moves(*c.driven, std::max(1.0, size)));
        for (const scene::Turn& turn : link.joint.turns) moved = moved || moves(turn.angle, 1);
        if (moved) return "the drive of the joint in " + link.joint.pointer;
      }
    }
    return {};
  }

  double lengthOfAll() {
    Vec3 least = Vec3::Constant(std::numeric_limits<double>::infinity()), most = -least;
    for (const BodyState& body : own.bodies()) {
      for (std::size_t i = 0; i + 2 < body.nodes.size(); i += 3) {
        const Vec3 node(body.nodes[i], body.nodes[i + 1], body.nodes[i + 2]);
        least = least.cwiseMin(node), most = most.cwiseMax(node);
      }
    }
    return (most - least).norm();
  }

  /// What acts and is in no matrix.
  std::vector<std::string> omitted() {
    std::vector<std::string> out = whole().all.omitted;
    bool feedback = false, rates = false;
    const auto see = [&](const formula::Number& number) { feedback = feedback || number.seesColumns(); };
    for (const scene::Load& l : scene().loads) {
      for (const formula::Number& number : l.value) see(number);
      see(l.field.amount), see(l.pressure);
      for (const formula::Number& number : l.moment) see(number);
      rates = rates || (!l.places.empty() || !l.links.empty() ? scene::placeOf(l).velocity : false);
    }
    for (const scene::Actuation& a : scene().actuation) {
      if (a.curvature) see((*a.curvature)[0]), see((*a.curvature)[1]);
      for (const auto& number : {a.twist, a.stretch, a.angle}) {
        if (number) see(*number);
      }
      for (const auto& number : a.natural) {
        if (number) see(*number);
      }
    }
    for (const scene::Linkage& linkage : scene().linkages) {
      for (const scene::Cable& cable : linkage.cables) see(cable.tension);
      for (const scene::Link& link : linkage.links) {
        for (const scene::JointCoordinate& c : link.joint.coordinates) see(c.effort), see(c.rest);
      }
    }
    for (const scene::Vine& v : scene().vines) see(v.steer), see(v.curvature);
    if (feedback) out.emplace_back("feedback through probes and states: it is held as it was in the last step");
    const bool slow = scene().environment.rftNormal.has_value();
    if (own.isStatic() && (rates || slow))
      out.emplace_back(
          "in a static scene, how forces on links that see velocities, and resistive forces, change with rates");
    return out;
  }

  /// Whether a shape moves each body, and turns it, as if it were rigid, and links along joints without springs.
  bool isRigid(const VectorX& shape) {
    const Equations& e = whole().all;
    // Of a body: columns are nodes, where they are and how they move. What is held is at 0 and stays.
    struct Nodes {
      std::vector<std::array<double, 3>> places, moves;
      std::string last;
      std::vector<double> twists;
    };
    std::map<std::string, Nodes> bodies;
    constexpr double alike = 0.02;
    for (int i = 0; i < e.size(); ++i) {
      const std::string& name = e.names[static_cast<std::size_t>(i)];
      const std::size_t colon = name.find(':'), dot = name.rfind('.'), bracket = name.rfind('[');
      if (colon == std::string::npos || dot == std::string::npos) {
        if (bracket != std::string::npos && std::abs(shape[i]) > alike * e.reach[i] &&
            isSprung(name.substr(0, bracket), std::stoi(name.substr(bracket + 1))))
          return false;
        continue;
      }
      Nodes& body = bodies[name.substr(0, colon)];
      const std::string node = name.substr(0, dot), axis = name.substr(dot + 1);
      if (axis == "twist") body.twists.push_back(shape[i]);
      if (axis.size() != 1 || axis[0] < 'x' || axis[0] > 'z') continue;
      if (node != body.last) body.places.push_back({}), body.moves.push_back({}), body.last = node;
      const auto k = static_cast<std::size_t>(axis[0] - 'x');
      body.places.back()[k] = e.values[i], body.moves.back()[k] = shape[i];
    }
    for (const auto& [name, body] : bodies) {
      const auto n = static_cast<Eigen::Index>(body.places.size());
      Eigen::Matrix3Xd x(3, n), u(3, n);
      for (Eigen::Index i = 0; i < n; ++i) {
        x.col(i) = Vec3(body.places[static_cast<std::size_t>(i)].data());
        u.col(i) = Vec3(body.moves[static_cast<std::size_t>(i)].data());
      }
      const double most = n > 0 ? u.cwiseAbs().maxCoeff() : 0, size = e.reach.maxCoeff();
      if (most > alike * size) {
        const Vec3 middle = x.rowwise().mean(), drift = u.rowwise().mean();
        Eigen::MatrixXd turns(3 * n, 3);
        VectorX moved(3 * n);
        for (Eigen::Index i = 0; i < n; ++i) {
          turns.middleRows<3>(3 * i) = -geometry::skew(x.col(i) - middle);
          moved.segment<3>(3 * i) = u.col(i) - drift;
        }
        const VectorX turn = turns.completeOrthogonalDecomposition().solve(moved);
        if ((moved - turns * turn).lpNorm<Eigen::Infinity>() > alike * most) return false;
      } else if (!body.twists.empty()) {
        const auto [least, largest] = std::minmax_element(body.twists.begin(), body.twists.end());
        if (*largest - *least > alike * std::max(std::abs(*largest), std::abs(*least))) return false;
      }
    }
    return true;
  }

  /// Whether coordinate i of "linkage/link" has a spring, or is a strain.
  bool isSprung(const std::string& link, int i) {
    for (const scene::Linkage& linkage : scene().linkages) {
      for (const scene::Link& l : linkage.links) {
        if (linkage.name + "/" + l.name != link) continue;
        const auto& joint = l.joint.coordinates;
        return i >= static_cast<int>(joint.size()) || !joint[static_cast<std::size_t>(i)].stiffness.isZero();
      }
    }
    return false;
  }

  void linearize(const Options& options, Linearization& out);
  void findOutputs(const std::vector<int>& columns, const linear::StateSpace& space, const std::vector<int>& parameters,
                   Linearization& out);
};

Machine::Machine(const Simulation& simulation) : impl_(std::make_unique<Impl>(simulation)) {}
Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;

const std::vector<std::string>& Machine::coordinates() { return impl_->whole().all.names; }

std::vector<std::string> Machine::inputs() {
  std::vector<std::string> out = impl_->whole().all.inputs;
  for (const scene::Parameter& p : impl_->scene().parameters) {
    if (p.live && !p.derived) out.push_back(p.name);
  }
  return out;
}

Linearization Machine::linearize(const Options& options) {
  Linearization out;
  try {
    impl_->linearize(options, out);
  } catch (const model::NoEquations& error) {
    throw NotLinear(error.what());
  }
  return out;
}

void Machine::Impl::linearize(const Options& options, Linearization& out) {
  const WholeEquations& w = whole();
  const Equations& e = w.all;
  const int n = e.size();
  out.time = own.time();
  for (const std::string& words : omitted()) out.omitted.push_back(words);
  out.coordinates = e.names, out.units = e.units;
  out.rates = plain(e.rates), out.forces = plain(e.forces);
  out.mass = plain(e.mass), out.damping = plain(e.damping), out.stiffness = plain(e.stiffness);
  out.motions = plain(e.motions);

  // Inputs
  std::vector<std::string> names = options.inputs;
  std::vector<char> asked(names.size(), 1);
  if (names.empty()) {
    for (std::size_t i = 0; i < e.inputs.size(); ++i) {
      if (e.used[i]) names.push_back(e.inputs[i]), asked.push_back(1);
    }
    for (const scene::Parameter& p : scene().parameters) {
      if (p.live && !p.derived) names.push_back(p.name), asked.push_back(0);
    }
  }
  std::vector<VectorX> columns;
  std::vector<int> parameters;  // of each input; below 0: an actuator, -1 - its number
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string& name = names[k];
    const auto own = std::find(e.inputs.begin(), e.inputs.end(), name);
    if (own != e.inputs.end()) {
      columns.emplace_back(e.actuation.col(static_cast<int>(own - e.inputs.begin())));
      parameters.push_back(-1 - static_cast<int>(own - e.inputs.begin())), out.inputs.push_back(name);
      continue;
    }
    const int p = parameterCalled(name);
    if (p < 0 || !scene().parameters[static_cast<std::size_t>(p)].live)
      throw std::invalid_argument(
          "\"" + name + "\" is no input: there is no cable, no joint that is free and no live parameter of that name");
    const double value = scene().values[static_cast<std::size_t>(p)], h = stepOf(p);
    try {
      columns.emplace_back(slope([&](double by) { return forcesWith(p, value + by); }, h));
      parameters.push_back(p), out.inputs.push_back(name);
    } catch (const NotLinear& error) {
      if (asked[k]) throw;
      out.omitted.emplace_back(error.what());
    }
  }
  Eigen::MatrixXd B(n, static_cast<int>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) B.col(static_cast<int>(i)) = columns[i];
  const Sparse actuation = B.sparseView(0, 0);
  out.actuation = plain(actuation);

  // State space
  const std::vector<int> indices = indicesOf(options.outputs);
  for (const int i : indices) out.outputs.push_back(scene().columns[static_cast<std::size_t>(i)]);
  if (!options.space) return;
  const double pace = own.stepSize();
  const linear::StateSpace space = linear::stateSpace(e, actuation, pace);
  out.space.states = space.states, out.space.units = space.units;
  out.space.A = plain(space.A), out.space.B = plain(space.B), out.space.drift = plain(space.drift);
  findOutputs(indices, space, parameters, out);
}

// C and D by differences of order two of what probes show, along the motion that goes with each state and input.
void Machine::Impl::findOutputs(const std::vector<int>& columns, const linear::StateSpace& space,
                                const std::vector<int>& parameters, Linearization& out) {
  const Equations& e = whole().all;
  const int states = static_cast<int>(space.states.size()), inputs = static_cast<int>(parameters.size());
  const int outputs = static_cast<int>(columns.size());
  Eigen::MatrixXd C(outputs, states), D(outputs, inputs);
  VectorX actuators;  // beyond what the scene gives
  const auto look = [&](const VectorX& move, const VectorX& rate, const VectorX& acceleration) {
    const Nearby at{move, e.rates + rate, e.accelerations + acceleration, actuators};
    const std::vector<double> all = observe(&at);
    VectorX row(outputs);
    for (int i = 0; i < outputs; ++i) row[i] = all[static_cast<std::size_t>(columns[static_cast<std::size_t>(i)])];
    return row;
  };
  const VectorX zero = VectorX::Zero(e.size());
  out.space.y0 = plain(look(zero, zero, zero));
  const auto difference = [&](const VectorX& move, const VectorX& rate, const VectorX& acceleration, double h) {
    const VectorX more = look(h * move, h * rate, h * acceleration),
                  less = look(-h * move, -h * rate, -h * acceleration);
    return VectorX((more - less) / (2 * h));
  };
  for (int j = 0; j < states; ++j)
    C.col(j) = difference(space.moves.col(j), space.rates.col(j), space.accelerations.col(j), small * space.reach[j]);
  for (int j = 0; j < inputs; ++j) {
    const VectorX move = space.movesByInput.col(j), rate = space.ratesByInput.col(j),
                  acc = space.accelerationsByInput.col(j);
    const int p = parameters[static_cast<std::size_t>(j)];
    if (p < 0) {
      // Of tensions and efforts probes see what they do, and themselves.
      const double moved =
          std::max(move.cwiseQuotient(e.reach).lpNorm<Eigen::Infinity>(),
                   own.stepSize() * (rate.cwiseQuotient(e.reach).lpNorm<Eigen::Infinity>() +
                                     own.stepSize() * acc.cwiseQuotient(e.reach).lpNorm<Eigen::Infinity>()));
      const double h = moved > 0 ? small / moved : 1;
      const auto at = [&](double by) {
        actuators = VectorX::Zero(static_cast<Eigen::Index>(e.inputs.size()));
        actuators[-1 - p] = by;
        return look(by * move, by * rate, by * acc);
      };
      D.col(j) = (at(h) - at(-h)) / (2 * h);
      actuators.resize(0);
      continue;
    }
    const double value = scene().values[static_cast<std::size_t>(p)], h = stepOf(p);
    const auto at = [&](double by) {
      observe(nullptr);
      setValue(p, value + by);
      return look(by * move, by * rate, by * acc);
    };
    D.col(j) = slope(at, h);
    observe(nullptr);
    setValue(p, value);
  }
  observe(nullptr);
  out.space.C = plain(Sparse(C.sparseView(0, 0))), out.space.D = plain(Sparse(D.sparseView(0, 0)));
}

SparseMatrix Machine::jacobian(const std::vector<std::string>& columns, bool rates) {
  Impl& own = *impl_;
  const Equations& e = own.whole().all;
  const std::vector<int> indices = own.indicesOf(columns);
  const double pace = own.own.stepSize();
  Eigen::MatrixXd J(static_cast<int>(indices.size()), e.size());
  for (int j = 0; j < e.size(); ++j) {
    const double h = small * e.reach[j] / (rates ? pace : 1);
    const auto at = [&](double by) {
      Nearby near{VectorX::Zero(e.size()), e.rates, e.accelerations};
      (rates ? near.rates : near.move)[j] += by;
      return own.observe(&near);
    };
    const std::vector<double> more = at(h), less = at(-h);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const auto k = static_cast<std::size_t>(indices[i]);
      J(static_cast<int>(i), j) = (more[k] - less[k]) / (2 * h);
    }
  }
  own.observe(nullptr);
  return plain(Sparse(J.sparseView(0, 0)));
}

std::vector<double> Machine::values() {
  std::vector<double> out = impl_->observe(nullptr);
  return out;
}

void Machine::displace(std::span<const double> moves, std::span<const double> rates) {
  impl_->moveParts(moves, "a move", rates, [](model::Model& part, const VectorX& move, const VectorX& rate) {
    part.displace({move, rate, {}});
  });
}

MachineState Machine::state() {
  const Equations& e = impl_->whole().all;
  return {plain(e.values), plain(e.rates)};
}

void Machine::setState(std::span<const double> q, std::span<const double> v) {
  impl_->moveParts(q, "a value", v, [](model::Model& part, const VectorX& values, const VectorX& rates) {
    part.standAt(values, rates);
  });
}

Kinematics Machine::kinematics(const std::string& place) {
  Impl& own = *impl_;
  const WholeEquations& w = own.whole();
  const std::variant<scene::Place, std::string> found = scene::findPlace(own.scene(), place);
  if (const std::string* why = std::get_if<std::string>(&found)) throw std::invalid_argument(*why);
  const auto& parts = own.side().parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    model::PlaceMotion m;
    if (!parts[i].model->placeMotion(std::get<scene::Place>(found), m)) continue;
    Kinematics out;
    out.position = plain(m.position), out.velocity = plain(m.velocity);
    if (m.turns) {
      Eigen::Quaterniond turn(m.frame);
      if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
      out.rotation = {turn.w(), turn.x(), turn.y(), turn.z()}, out.spin = plain(m.spin);
    }
    out.jacobian = plain(linear::placed(m.jacobian, static_cast<int>(m.jacobian.rows()), w.all.size(), 0, w.first[i]));
    return out;
  }
  throw NotLinear("\"" + place + "\" is on no body that has equations of motion");
}

void Machine::solveFor(const std::vector<std::string>& columns, std::span<const double> values, double tolerance) {
  Impl& own = *impl_;
  const std::vector<int> indices = own.indicesOf(columns);
  if (columns.empty() || values.size() != columns.size())
    throw std::invalid_argument("give one value for each column of probes that is to have it");
  if (!(tolerance > 0)) throw std::invalid_argument("the tolerance must be positive");
  const Simulation before = Inside::copyOf(own.own);
  const auto m = static_cast<Eigen::Index>(values.size());
  VectorX target = Eigen::Map<const VectorX>(values.data(), m), scale;
  double best = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 60; ++iteration) {
    const std::vector<double> now = own.observe(nullptr);
    VectorX gap(m);
    for (Eigen::Index i = 0; i < m; ++i)
      gap[i] = target[i] - now[static_cast<std::size_t>(indices[static_cast<std::size_t>(i)])];
    if (iteration == 0) {
      // A column counts by its own size and by how far all are to go.
      scale = target.cwiseAbs().cwiseMax((gap + target).cwiseAbs()).cwiseMax(gap.lpNorm<Eigen::Infinity>());
      for (Eigen::Index i = 0; i < m; ++i) scale[i] = scale[i] > 0 ? scale[i] : 1;
    }
    const double left = gap.cwiseQuotient(scale).lpNorm<Eigen::Infinity>();
    if (left <= tolerance) return;
    if (iteration > 40 && left > 0.5 * best) break;
    best = std::min(best, left);
    const Equations& e = own.whole().all;
    const SparseMatrix sparse = jacobian(columns);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(m, e.size());
    for (std::size_t k = 0; k < sparse.value.size(); ++k) J(sparse.row[k], sparse.column[k]) = sparse.value[k];
    // The least motion, by reach, among those that loops allow.
    Eigen::MatrixXd T = e.reach.cwiseInverse().asDiagonal() * Eigen::MatrixXd(e.motions);
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(T);
    const Eigen::MatrixXd basis =
        e.reach.asDiagonal() * Eigen::MatrixXd(qr.householderQ() * Eigen::MatrixXd::Identity(T.rows(), T.cols()));
    const Eigen::MatrixXd A = scale.cwiseInverse().asDiagonal() * J * basis;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-9);
    solver.compute(A);
    VectorX move = basis * VectorX(solver.solve(VectorX(gap.cwiseQuotient(scale))));
    // Far away a straight way leads astray: at most a quarter turn of all at once.
    const double most = move.cwiseQuotient(e.reach).lpNorm<Eigen::Infinity>();
    if (most > 0.5) move *= 0.5 / most;
    if (!(most > 0)) break;
    displace({move.data(), static_cast<std::size_t>(move.size())});
  }
  own.own = Inside::copyOf(before);
  own.equations.reset();
  throw NotLinear("no motion was found that gives these columns these values: the best was off by " +
                  std::to_string(best) + " of their size");
}

std::vector<std::string> Machine::omitted() {
  impl_->whole();
  return impl_->omitted();
}

std::vector<Mode> Machine::modes(int count) {
  if (count < 1) throw std::invalid_argument("ask for one mode at least");
  std::vector<Mode> out;
  try {
    std::string drives = impl_->drivenNow(0, true);
    if (!drives.empty()) drives += " moves or accelerates it at this time. Where that is not the reason, ";
    const linear::ModeList list = linear::modes(impl_->whole().all, count, unsymmetric(impl_->scene()), drives);
    double slowest = 0;
    for (const linear::Mode& m : list.modes) slowest = slowest == 0 && m.square > 0 && !m.rigid ? m.square : slowest;
    impl_->refuseMotion(std::sqrt(slowest));
    for (const linear::Mode& m : list.modes) {
      Mode mode;
      mode.rigid = m.rigid && impl_->isRigid(m.shape), mode.estimate = m.estimate, mode.damping = m.damping,
      mode.shape = plain(m.shape);
      if (!m.rigid && m.square > 0) mode.frequency = std::sqrt(m.square) / (2 * pi);
      if (m.rigid && !mode.rigid) mode.hidden = std::sqrt(m.rounded) / (2 * pi);
      mode.growth = m.growth;
      out.push_back(std::move(mode));
    }
  } catch (const model::NoEquations& error) {
    throw NotLinear(error.what());
  }
  return out;
}

std::vector<CriticalLoad> Machine::criticalLoads(int count) {
  if (count < 1) throw std::invalid_argument("ask for one critical load at least");
  if (!impl_->own.isStatic()) throw NotLinear("loads become critical in statics: take \"mode\": \"static\" in solver");
  for (const scene::Load& load : impl_->scene().loads) {
    // A bed of springs would stiffen with the loads, and nothing tells it from a load that pushes.
    if (load.kind == scene::Load::Kind::field && scene::placeOf(load).now())
      throw NotLinear(
          "the field in " + load.pointer +
          " sees the place or motion of what it acts on: where it stiffens or softens that, it would do so more and more as "
          "all loads grow, and factors would count it. Load the scene step by step and watch `tendril "
          "modes`: where it becomes unstable, the lowest frequency goes to zero");
  }
  Simulation unloaded = Inside::copyOf(impl_->own);
  unloaded.reset();
  std::vector<linear::CriticalFactor> found;
  try {
    SideBySide& side = Inside::modelIn(unloaded);
    const Equations at0 = wholeEquations(side).all;
    const scene::Scene& scene = Inside::sceneIn(unloaded);
    if (!at0.potential) throw NotLinear("the unloaded stiffness is not symmetric");
    if (at0.freedoms() == 0) throw NotLinear("nothing is free to move: there are no critical loads");
    double now = 0;
    const std::function<void(double, int)> go = [&](double factor, int halvings) {
      model::SettleRequest request;
      request.time = scene.solver.duration, request.factor = factor;
      request.columns = Inside::columnsIn(unloaded).all().data();
      const model::StepReport report = side.settle(request, {});
      if (report.accepted) {
        now = factor;
        return;
      }
      // Supports turn by so much in a step, and no more.
      if (halvings == 0)
        throw linear::NoEquilibrium("no equilibrium was found under " + brief(factor) +
                                    " times the loads: " + report.reason);
      go(0.5 * (now + factor), halvings - 1);
      go(factor, halvings - 1);
    };
    const std::function<Sparse(double)> stiffnessAt = [&](double factor) {
      constexpr int halvings = 6;
      go(factor, halvings);
      const Equations e = wholeEquations(side).all;
      if (e.names != at0.names)
        throw NotLinear("supports change as the loads come on: critical factors are those of supports that stay");
      if (!e.potential)
        throw NotLinear(
            "the stiffness under load is not symmetric: forces without a potential have no critical factor "
            "of this kind, and " +
            unsymmetric(scene));
      return e.stiffness;
    };
    const linear::CriticalLoads loads = linear::criticalLoads(at0, stiffnessAt, count);
    found = loads.factors;
    constexpr double promised = 1e-3;
    if (loads.error > promised) throw NotLinear(tooFine(scene, found[0].factor, loads.error, promised));
    if (!(loads.bends <= linear::straight)) {
      // What deforms before it buckles changes its stiffness by the deformation, not in proportion to the loads.
      const std::string how = "the loads bend the structure: at " + brief(loads.looked) + " times them ";
      const std::string instead =
          "Load it step by step and watch `tendril modes`: where it becomes unstable, the lowest frequency goes to zero";
      if (found.empty())
        throw NotLinear(
            how + "its stiffness departs by " + brief(100 * loads.bends) +
            " % from what the start of the path tells, which knows of nothing that becomes unstable, and that "
            "means nothing here. " +
            instead);
      throw NotLinear(how + "its stiffness departs from what the start of the path tells, and the first factor, " +
                      brief(found[0].factor) + ", may be off by " + brief(100 * loads.bends) + " %, more than " +
                      brief(100 * linear::straight) + " %. " + instead);
    }
  } catch (const model::NoEquations& error) {
    throw NotLinear(error.what());
  }
  std::vector<CriticalLoad> out;
  out.reserve(found.size());
  for (const linear::CriticalFactor& f : found) out.push_back({f.factor, f.error, plain(f.shape)});
  return out;
}

Snapshot Machine::shaped(std::span<const double> shape, double size) {
  Impl& own = *impl_;
  const Equations& e = own.whole().all;
  if (static_cast<int>(shape.size()) != e.size())
    throw std::invalid_argument("a shape has one number for each of the " + std::to_string(e.size()) + " coordinates");
  const Nearby at{size * Eigen::Map<const VectorX>(shape.data(), e.size()), e.rates, e.accelerations};
  own.observe(&at);
  Snapshot out;
  own.side().snapshot(out);
  out.time = own.own.time();
  own.observe(nullptr);
  return out;
}

}  // namespace tendril
