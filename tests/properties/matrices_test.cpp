// Laws of the machine laid open, held against random scenes: what it says of small loads is what they do, and its
// matrices know nothing of units and of bodies that have no part in it.
#include "tendril/machine.h"

#include <Eigen/Dense>
#include <map>

#include "law.h"
#include "told.h"

namespace tendril::properties {
namespace matrices_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense(const SparseMatrix& m) {
  MatrixXd out = MatrixXd::Zero(m.rows, m.columns);
  for (std::size_t i = 0; i < m.value.size(); ++i) out(m.row[i], m.column[i]) += m.value[i];
  return out;
}

Scenes rods(Asked asked) {
  return [asked](unsigned seed, const Telling& t) { return continuum(seed, t, asked); };
}
Scenes links(Asked asked) {
  return [asked](unsigned seed, const Telling& t) { return linkage(seed, t, asked); };
}
Scenes loops(Asked asked) {
  return [asked](unsigned seed, const Telling& t) { return closedChain(seed, t, asked); };
}

/// `cut`: steps were, which they are for all.
Linearization matricesOf(const std::string& scene, bool& cut) {
  Simulation sim(scene);
  if (test::runToEnd(sim).retries > 0) cut = true;
  return Machine(sim).linearize({{}, {}, false});
}

// ---- loads ----------------------------------------------------------------------------------------------------------

/// How far a small force at one place moves another one: J_to Z (Z^T K Z)^-1 Z^T J_at^T f, against equilibria with it.
std::string moves(const Json& scene, const std::string& at, const std::string& to, double small, Draw draw,
                  int refined) {
  Draw directions = draw;
  const Vec3 f = directions.inCube(1).normalized();
  const auto with = [&](double size) {
    Json s = scene;
    s["probes"] = {{"to", {{"position", to}}}};
    s["loads"].push_back({{"force", Telling::list(size * f)}, {"at", at}});
    auto sim = std::make_unique<Simulation>(s.dump());
    test::runToEnd(*sim);
    return sim;
  };
  try {
    const auto none = with(0), more = with(small), less = with(-small);
    const Vec3 here = test::vectorColumn(*none, "to"), up = test::vectorColumn(*more, "to"),
               down = test::vectorColumn(*less, "to");
    if ((up + down - 2 * here).norm() > 0.05 * (up - down).norm()) return "skip";
    Machine machine(*none);
    const Linearization l = machine.linearize({{}, {}, false});
    const MatrixXd Z = dense(l.motions);
    const MatrixXd Ja = dense(machine.kinematics(at).jacobian).topRows(3) * Z,
                   Jt = dense(machine.kinematics(to).jacobian).topRows(3) * Z;
    const MatrixXd K = Z.transpose() * dense(l.stiffness) * Z;
    const Vec3 said = Jt * Eigen::FullPivLU<MatrixXd>(K).solve(VectorXd(Ja.transpose() * f)) * small;
    const double off = (0.5 * (up - down) - said).norm();
    if (off <= 1e-4 * said.norm()) return "";
    // Near where something buckles only smaller loads are small.
    if (refined < 2) return moves(scene, at, to, small / 8, draw, refined + 1);
    return "it says " + number(said.norm()) + " m and is off by " + number(off / said.norm());
  } catch (const NotLinear& error) {
    return std::string(error.what()).find("friction") != std::string::npos ? "skip" : error.what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  } catch (const std::exception&) {
    return "skip";
  }
}

TEST(Properties, SmallLoadsMoveWhatTheMachineSays) {
  hold(
      "compliance", 50,
      [](unsigned seed, const std::set<std::string>& without) -> std::string {
        Telling t;
        t.without = without;
        const Json scene = Json::parse(continuum(seed, t, still()));
        const int n = static_cast<int>(scene["rods"]["one"]["path"]["points"].size()) - 1;
        const bool second = scene["rods"].contains("two");
        Draw draw(seed + 5);
        const std::string at = "one:" + std::to_string(draw.whole(2, n)),
                          to = second ? "two:last" : "one:" + std::to_string(n / 2 + 1);
        const double r = radiusOf(scene["rods"]["one"]), E = scene["materials"]["a"]["youngs"];
        return moves(scene, at, to, 1e-4 * E * pi / 4 * std::pow(r, 4) / 0.09, draw, 0);
      },
      rods(still()));
  for (const auto& [name, body, scenes] :
       {std::tuple("linkages", "arm/l", links(still())), std::tuple("loops", "bars/l", loops(still()))}) {
    hold(
        std::string("compliance of ") + name, 40,
        [body = std::string(body), scenes = scenes](unsigned seed, const std::set<std::string>& without) {
          Telling t;
          t.without = without;
          const Json scene = Json::parse(scenes(seed, t));
          const int last = static_cast<int>(scene["linkages"].begin()->at("links").size()) - 1;
          Draw draw(seed + 5);
          const std::string at = body + std::to_string(draw.whole(0, last)) + "@0.7",
                            to = body + (last == 2 ? "1@0.5" : std::to_string(last) + "@1");
          return moves(scene, at, to, 1e-4, draw, 0);
        },
        scenes);
  }
}

// ---- what matrices know nothing of
// ------------------------------------------------------------------------------------

/// Differences between the matrices of two tellings, bit for bit in the first one's units.
Law sameMatrices(const Scenes& scenes, const std::function<void(Draw&, Telling&)>& other) {
  return [=](unsigned seed, const std::set<std::string>& without) -> std::string {
    Telling first, second;
    first.without = second.without = without;
    Draw draw(seed + 77);
    other(draw, second);
    Linearization a, b;
    bool cut = false;
    try {
      a = matricesOf(scenes(seed, first), cut);
    } catch (const std::exception&) {
      return "skip";
    }
    try {
      b = matricesOf(scenes(seed, second), cut);
    } catch (const std::exception& error) {
      return second.stranger ? "skip" : std::string("one has matrices, one has not: ") + error.what();
    }
    if (cut && second.stranger) return "skip";
    std::map<std::string, int> place;
    for (std::size_t i = 0; i < b.coordinates.size(); ++i) place[b.coordinates[i]] = static_cast<int>(i);
    const auto power = [](const std::string& unit) { return unit == "m" ? 0 : 1; };
    const auto n = static_cast<int>(a.coordinates.size());
    std::string where;
    const auto differ = [&](const SparseMatrix& one, const SparseMatrix& two, int seconds) {
      const MatrixXd x = dense(one), y = dense(two);
      double most = 0;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const std::string &row = a.coordinates[static_cast<std::size_t>(i)],
                            &column = a.coordinates[static_cast<std::size_t>(j)];
          const int meters = power(a.units[static_cast<std::size_t>(i)]) + power(a.units[static_cast<std::size_t>(j)]);
          const double told = y(place.at(row), place.at(column)) / second.value(1, 1, meters, seconds);
          if (std::abs(told - x(i, j)) <= most) continue;
          most = std::abs(told - x(i, j));
          where = " of " + number(x(i, j)) + " at " + row + ", " + column;
        }
      }
      return most;
    };
    for (const std::string& name : a.coordinates) {
      if (!place.count(name)) return "the coordinate " + name + " is gone";
    }
    if (const double off = differ(a.mass, b.mass, 0); off > 0) return "mass differs by " + number(off) + where;
    if (const double off = differ(a.stiffness, b.stiffness, -2); off > 0)
      return "stiffness differs by " + number(off) + where;
    if (const double off = differ(a.damping, b.damping, -1); off > 0)
      return "damping differs by " + number(off) + where;
    for (int i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double told = b.forces[static_cast<std::size_t>(place.at(a.coordinates[k]))] /
                          second.value(1, 1, 1 + power(a.units[k]), -2);
      if (told != a.forces[k]) return "forces differ by " + number(told - a.forces[k]);
    }
    return "";
  };
}

void inOtherUnits(Draw& draw, Telling& t) {
  t.length = std::exp2(draw.whole(-10, 10)), t.mass = std::exp2(draw.whole(-20, 20)),
  t.time = std::exp2(draw.whole(-12, 12));
}
void withAStranger(Draw&, Telling& t) { t.stranger = true; }

TEST(Properties, UnitsChangeNoBitOfTheMatrices) {
  hold("units of matrices", 40, sameMatrices(rods(still()), inOtherUnits), rods(still()));
  hold("units of matrices in motion", 30, sameMatrices(rods(moving()), inOtherUnits), rods(moving()), 0.4);
  hold("units of matrices of linkages", 40, sameMatrices(links(Asked()), inOtherUnits), links(Asked()));
  hold("units of matrices of loops", 30, sameMatrices(loops(Asked()), inOtherUnits), loops(Asked()));
}

TEST(Properties, AnUnrelatedBodyChangesNoEntryOfTheMatrices) {
  hold("stranger beside matrices", 40, sameMatrices(rods(still()), withAStranger), rods(still()));
  hold("stranger beside matrices in motion", 30, sameMatrices(rods(moving()), withAStranger), rods(moving()), 0.3);
  hold("stranger beside matrices of linkages", 40, sameMatrices(links(Asked()), withAStranger), links(Asked()));
}

}  // namespace matrices_test
}  // namespace tendril::properties
