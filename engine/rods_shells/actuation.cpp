#include "rods_shells/actuation.h"

#include <algorithm>
#include <set>

#include "rods_shells/shell_fields.h"

namespace tendril::rods_shells {
namespace {

// Row of a table at time t into `row` (empty where the table has no such columns); ends are held.
void tableRow(const scene::ActuationTable& table, const std::vector<std::vector<double>>& rows, double t,
              std::vector<double>& row) {
  row.clear();
  if (rows.empty()) return;
  const auto& time = table.time;
  const std::ptrdiff_t after = std::upper_bound(time.begin(), time.end(), t) - time.begin();
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(time.size()) - 1;
  row = rows[std::clamp<std::ptrdiff_t>(after - 1, 0, last)];
  if (table.step || after == 0 || after > last) return;
  const double w = (t - time[after - 1]) / (time[after] - time[after - 1]);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] += w * (rows[after][i] - row[i]);
}

double entry(const std::vector<double>& row, int column) {
  return row.size() == 1 ? row[0] : row[std::min<std::size_t>(column, row.size() - 1)];
}

}  // namespace

Actuator::Actuator(Structure& structure, const scene::Scene& scene) : s_(structure), scene_(scene) {
  std::vector<std::vector<int>> springsOf(scene.rods.size());
  for (std::size_t i = 0; i < s_.springs.size(); ++i) {
    if (!s_.springs[i].joint) springsOf[s_.springs[i].rod].push_back(static_cast<int>(i));
  }
  std::vector<std::vector<char>> selected(scene.rods.size());
  for (std::size_t r = 0; r < scene.rods.size(); ++r) selected[r].assign(scene.rods[r].points.size(), 0);
  for (const scene::Actuation& a : scene.actuation) {
    Target target;
    if (a.ofHinges()) {
      target = hingeTarget(a);
      targets_.push_back(std::move(target));
      continue;
    }
    std::set<int> rods;
    for (const scene::NodeRef& ref : a.nodes) selected[ref.body][ref.node] = 1, rods.insert(ref.body);
    for (const int rod : rods) {
      for (const int i : springsOf[rod]) {
        if (!selected[rod][s_.springs[i].place]) continue;
        target.springs.push_back(i);
        target.springFields.push_back(fieldAtNode(s_, scene, rod, s_.springs[i].place));
        target.springColumns.push_back(static_cast<int>(target.springFields.back().i));
      }
      for (int k = 0; k + 1 < static_cast<int>(selected[rod].size()); ++k) {
        if (!selected[rod][k] || !selected[rod][k + 1]) continue;
        target.edges.push_back(s_.rodFirstEdge[rod] + k);
        target.edgeFields.push_back(fieldAtEdge(s_, scene, rod, k));
        target.edgeColumns.push_back(k);
      }
    }
    for (const scene::NodeRef& ref : a.nodes) selected[ref.body][ref.node] = 0;
    targets_.push_back(std::move(target));
  }
}

Actuator::Target Actuator::hingeTarget(const scene::Actuation& a) const {
  Target target;
  HingeFields fields = hingeFields(s_, scene_, a.nodes);
  target.hinges = std::move(fields.hinges), target.hingeFields = std::move(fields.inputs);
  return target;
}

void Actuator::setCurvature(int spring, double k1, double k2, bool first, bool second, double factor) {
  Spring& p = s_.springs[spring];
  const Vec<2> rest = continuousCurvature(p.natural.head<2>(), p.voronoi);
  Vec<2> k(first ? k1 : rest[0], second ? k2 : rest[1]);
  if (factor != 1) k = (1 - factor) * continuousCurvature(p.natural0.head<2>(), p.voronoi) + factor * k;
  p.natural.head<2>() = discreteCurvature(k, p.voronoi);
}

void Actuator::applyFormula(const scene::Actuation& a, const Target& target, const scene::Instant& instant) {
  const auto see = [&](formula::Input in) {
    in.t = instant.t, in.parameters = scene_.values.data(), in.columns = instant.columns;
    return in;
  };
  for (std::size_t i = 0; i < target.springs.size(); ++i) {
    if (!a.curvature && !a.twist) break;
    const formula::Input in = see(target.springFields[i]);
    Spring& p = s_.springs[target.springs[i]];
    if (a.curvature)
      setCurvature(target.springs[i], (*a.curvature)[0](in), (*a.curvature)[1](in), true, true, instant.factor);
    if (a.twist) p.natural[2] = (1 - instant.factor) * p.natural0[2] + instant.factor * (*a.twist)(in)*p.voronoi;
  }
  for (std::size_t i = 0; i < target.hinges.size(); ++i) {
    ShellEdge& e = s_.shell.edges[target.hinges[i]];
    e.natural = (1 - instant.factor) * e.natural0 + instant.factor * (*a.angle)(see(target.hingeFields[i]));
  }
  for (std::size_t i = 0; a.stretch && i < target.edges.size(); ++i) {
    Edge& e = s_.edges[target.edges[i]];
    const double ratio = 1 + instant.factor * ((*a.stretch)(see(target.edgeFields[i])) - 1);
    e.naturalLength = e.passiveLength() * ratio;
  }
}

void Actuator::applyTable(const scene::Actuation& a, const Target& target, const scene::Instant& instant) {
  const scene::ActuationTable& table = *a.table;
  auto &k1 = rows_[0], &k2 = rows_[1], &twist = rows_[2], &stretch = rows_[3], &angle = rows_[4];
  tableRow(table, table.curvature1, instant.t, k1);
  tableRow(table, table.curvature2, instant.t, k2);
  tableRow(table, table.twist, instant.t, twist);
  tableRow(table, table.stretch, instant.t, stretch);
  tableRow(table, table.angle, instant.t, angle);
  for (std::size_t i = 0; i < target.springs.size(); ++i) {
    const int column = target.springColumns[i];
    if (!k1.empty() || !k2.empty()) {
      setCurvature(target.springs[i], k1.empty() ? 0 : entry(k1, column), k2.empty() ? 0 : entry(k2, column),
                   !k1.empty(), !k2.empty(), instant.factor);
    }
    Spring& p = s_.springs[target.springs[i]];
    if (!twist.empty()) {
      p.natural[2] = (1 - instant.factor) * p.natural0[2] + instant.factor * entry(twist, column) * p.voronoi;
    }
  }
  for (std::size_t i = 0; !angle.empty() && i < target.hinges.size(); ++i) {
    ShellEdge& e = s_.shell.edges[target.hinges[i]];
    e.natural = (1 - instant.factor) * e.natural0 + instant.factor * entry(angle, static_cast<int>(i));
  }
  for (std::size_t i = 0; !stretch.empty() && i < target.edges.size(); ++i) {
    Edge& e = s_.edges[target.edges[i]];
    e.naturalLength = e.passiveLength() * (1 + instant.factor * (entry(stretch, target.edgeColumns[i]) - 1));
  }
}

void Actuator::applyToConnectors(const scene::Instant& instant) {
  for (std::size_t i = 0; i < s_.connectors.size(); ++i) {
    const std::optional<formula::Number>& natural = scene_.springs[i].natural;
    if (!natural || !natural->isTimed()) continue;
    Connector& c = s_.connectors[i];
    c.natural = (1 - instant.factor) * c.natural0 + instant.factor * (*natural)(scene::timedInput(scene_, instant));
  }
}

void Actuator::apply(const scene::Instant& instant) {
  applyToConnectors(instant);
  if (targets_.empty()) return;
  for (Spring& p : s_.springs) p.natural = p.natural0;
  for (Edge& e : s_.edges) e.naturalLength = e.passiveLength();
  for (ShellEdge& e : s_.shell.edges) e.natural = e.natural0;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const scene::Actuation& a = scene_.actuation[i];
    if (!scene::isActive(a.interval, instant)) continue;
    if (a.table) {
      applyTable(a, targets_[i], instant);
    } else {
      applyFormula(a, targets_[i], instant);
    }
  }
}

}  // namespace tendril::rods_shells
