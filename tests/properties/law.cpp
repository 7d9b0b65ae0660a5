#include "law.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tendril::properties {
namespace {

/// Names of bodies that every telling has.
bool isStranger(const std::string& name) { return name.rfind("stranger", 0) == 0; }

void addNodes(const Simulation& sim, const Telling& t, Course& out) {
  auto bodies = sim.bodies();
  std::sort(bodies.begin(), bodies.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const auto& body : bodies) {
    if (isStranger(body.name)) continue;
    std::vector<Vec3> nodes;
    for (std::size_t i = 0; i + 2 < body.nodes.size(); i += 3) {
      nodes.push_back(
          t.back(Vec3(body.nodes[i], body.nodes[i + 1], body.nodes[i + 2]), sim.isStatic() ? 0 : sim.time() / t.time));
    }
    if (t.nodesReversed) std::reverse(nodes.begin(), nodes.end());
    out.nodes.insert(out.nodes.end(), nodes.begin(), nodes.end());
    for (const double v : body.nodes) out.bits.push_back(v / t.length);
  }
}

std::set<std::string> shrunk(unsigned seed, const Law& law, const Scenes& scenes) {
  std::set<std::string> without;
  Telling telling;
  std::string scene = scenes(seed, telling);
  for (const std::string& feature : features()) {
    std::set<std::string> fewer = without;
    fewer.insert(feature);
    telling.without = fewer;
    const std::string smaller = scenes(seed, telling);
    if (smaller == scene) continue;
    const std::string wrong = law(seed, fewer);
    if (!wrong.empty() && wrong != "skip") without = fewer, scene = smaller;
  }
  return without;
}

}  // namespace

bool hangsOnRoundOff(const Course& plain, unsigned seed, const Scenes& scenes, Telling telling, double tolerance) {
  for (const double nudge : {1e-12, 3e-12, -1e-12, -3e-12, 7e-12, 13e-12}) {
    telling.nudge = nudge;
    const Course other = run(scenes(seed, telling), telling);
    if (other.failure.empty() != plain.failure.empty() || apart(plain, other) > 0.1 * tolerance) return true;
    if (other.gained != plain.gained || other.warned != plain.warned) return true;
  }
  return false;
}

Scenes none() {
  return [](unsigned, const Telling&) { return std::string("(see the seed)"); };
}

Course run(const std::string& scene, const Telling& t) {
  Course out;
  out.scene = scene;
  try {
    Simulation sim(scene);
    Progress progress;
    while (!sim.finished()) {
      const Progress step = sim.step();
      out.retries += step.retries;
      progress.warnings.insert(progress.warnings.end(), step.warnings.begin(), step.warnings.end());
    }
    for (const std::string& w : progress.warnings)
      out.warned = out.warned || w.find("that nothing gave") != std::string::npos;
    for (const std::string& w : progress.warnings)
      out.gained = out.gained || w.find("would gain more energy") != std::string::npos;
    addNodes(sim, t, out);
    if (const auto energy = sim.energyBalance()) out.energy = *energy;
    const EnergyBalance& e = out.energy;
    out.balance = {e.work, e.dissipated, e.numerical, e.peak, e.given, e.little};
    for (double& v : out.balance) v /= t.value(1, 1, 2, -2);
    out.balance.push_back(static_cast<double>(progress.warnings.size()));
  } catch (const std::exception& error) {
    out.failure = error.what();
  }
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const Vec3& x : out.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  out.extent = out.nodes.empty() ? 0 : (high - low).norm();
  return out;
}

bool sameLook(Simulation& a, Simulation& b) {
  const Snapshot &x = a.snapshot(), &y = b.snapshot();
  return x.positions == y.positions && x.obstacles == y.obstacles && x.tendons == y.tendons &&
         x.tensions == y.tensions && x.contacts == y.contacts && x.directors == y.directors &&
         x.curvature == y.curvature && x.strain == y.strain && x.energy == y.energy;
}

double apart(const Course& a, const Course& b) {
  if (a.nodes.size() != b.nodes.size()) return 1e300;
  double most = 0;
  for (std::size_t i = 0; i < a.nodes.size(); ++i) most = std::max(most, (a.nodes[i] - b.nodes[i]).norm());
  return most / std::max(a.extent, 1e-300);
}

void hold(const std::string& name, unsigned count, const Law& law, const Scenes& scenes, double least) {
  const char* seconds = std::getenv("TENDRIL_PROPERTY_SECONDS");
  const char* base = std::getenv("TENDRIL_PROPERTY_SEED");
  const unsigned first = seconds ? static_cast<unsigned>(base ? std::strtoul(base, nullptr, 10) : 1000000) : 1;
  const double budget = seconds ? std::atof(seconds) : 0;
  const auto start = std::chrono::steady_clock::now();
  unsigned said = 0, tried = 0, failed = 0;
  for (unsigned i = 0;
       seconds ? std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < budget : i < count;
       ++i) {
    const unsigned seed = first + i;
    ++tried;
    const std::string wrong = law(seed, {});
    if (wrong == "skip") continue;
    ++said;
    if (wrong.empty()) continue;
    const std::set<std::string> without = shrunk(seed, law, scenes);
    Telling telling;
    telling.without = without;
    std::string left;
    for (const std::string& f : without) left += " " + f;
    ADD_FAILURE() << name << ": seed " << seed << ": " << law(seed, without) << " (whole: " << wrong << ")\nwithout"
                  << left << "\n"
                  << scenes(seed, telling);
    if (++failed == 5) break;
  }
  std::printf("%s: %u of %u scenes from seed %u\n", name.c_str(), said, tried, first);
  if (tried == 0) return;
  // Of a few, luck may leave out some more.
  EXPECT_GT(said, least * tried - std::sqrt(tried)) << "too few scenes say anything";
}

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", v);
  return text;
}

void alike(const std::string& name, unsigned count, const Scenes& scenes, double tolerance,
           const std::function<void(Draw&, Telling&)>& other, const std::function<void(Telling&)>& both) {
  const Law law = [=](unsigned seed, const std::set<std::string>& without) -> std::string {
    Telling first, second;
    first.without = second.without = without;
    if (both) both(first), both(second);
    Draw draw(seed + 77);
    other(draw, second);
    const std::string one = scenes(seed, first), two = scenes(seed, second);
    // Its own mirror image may go to either side where it buckles.
    if (first.mirror != second.mirror && one == two) return "skip";
    const Course a = run(one, first), b = run(two, second);
    if (a.failure.empty() != b.failure.empty()) {
      // What is cut is cut for all, so that from there on both take other steps: these may lead where the others do
      // not.
      if (second.stranger && a.retries + b.retries > 0) return "skip";
      return tolerance > 0 && hangsOnRoundOff(a, seed, scenes, first, tolerance)
                 ? "skip"
                 : "one runs, one does not: " + a.failure + b.failure;
    }
    if (!a.failure.empty()) return "skip";
    // What is cut is cut for all, and the balance of energy is that of all: units alone change nothing there.
    const bool cut = a.retries + b.retries > 0;
    if (second.stranger && a.warned && !b.warned) return "beside a stranger the warning is not given";
    if (cut && second.stranger) return "skip";
    if (tolerance == 0) {
      if (a.bits != b.bits) return "not the same bits; apart by " + number(apart(a, b));
      return second.stranger || a.balance == b.balance ? "" : "not the same balance of energy or warnings";
    }
    // What is told otherwise is rounded otherwise, and may not be cut at the same step.
    if (cut) return "skip";
    const double distance = apart(a, b);
    if (distance <= tolerance) return "";
    if (hangsOnRoundOff(a, seed, scenes, first, tolerance)) return "skip";
    return "apart by " + number(distance) + " of the extent";
  };
  hold(name, count, law, scenes);
}

}  // namespace tendril::properties
