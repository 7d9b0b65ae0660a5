// The entanglement gripper against the published program (DisMech, Choi et al. 2024): five rods that tangle, with the
// very angles it drew, from its unseeded C library generator.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/simulation/run_scene.h"
#include "engine/validation/statics_run.h"

namespace tendril::test {
namespace self_contact_entanglement_test {

// The C library's additive feedback generator with its default seed of 1.
class LibraryRandom {
 public:
  LibraryRandom() {
    std::int64_t word = 1;
    state_.push_back(1);
    for (int i = 1; i < 31; ++i) {
      word = 16807 * word % 2147483647;
      state_.push_back(static_cast<std::uint32_t>(word));
    }
    for (int i = 31; i < 34; ++i) state_.push_back(state_[i - 31]);
    for (int i = 34; i < 344; ++i) next();
  }
  int operator()() { return static_cast<int>(next() >> 1); }

 private:
  std::uint32_t next() {
    state_.push_back(state_[state_.size() - 31] + state_[state_.size() - 3]);
    return state_.back();
  }
  std::vector<std::uint32_t> state_;
};

// The scene with the published angles: whole degrees below 40 for every node but the ends. That program damps all nodes
// of a rod but the last one; a force along the last one's velocity takes its damping away here too.
std::string published() {
  const int fingers = 5, springs = 58, knots = 41;
  LibraryRandom draw;
  std::string acts, loads, probes;
  for (int f = 0; f < fingers; ++f) {
    std::array<int, springs> angle;
    for (int& a : angle) a = draw() % 40;
    std::string time, rows;
    for (int k = 0; k < knots; ++k) {
      const double part = 0.5 * k / (knots - 1.0);
      time += (k ? ", " : "") + digits(10 * k / (knots - 1.0));
      rows += k ? ", [" : "[";
      for (int i = 0; i < springs; ++i) {
        const double turn = std::sqrt(2.0) * std::tan(0.5 * part * angle[i] * 3.14159265358979323846 / 180);
        rows += (i ? ", " : "") + digits(59 / 0.3 * std::sqrt(2.0) * std::atan(turn));
      }
      rows += "]";
    }
    const std::string name = "finger" + std::to_string(f), v = "v" + std::to_string(f);
    acts += std::string(f ? ", " : "") + R"({"rod": ")" + name + R"(", "table": {"time": [)" + time +
            R"(], "curvature1": [)" + rows + R"(], "curvature2": [)" + rows + "]}}";
    const std::string force = "\"=air*L/edges/2*" + v + ".";
    loads += std::string(f ? ", " : "") + R"({"at": ")" + name + R"(:last", "force": [)" + force + "x\", " + force +
             "y\", " + force + "z\"]}";
    probes += "\"" + v + R"(": {"velocity": ")" + name + R"(:last"}, )";
  }
  std::string text = sceneFile("entanglement");
  const std::size_t from = text.find("\"actuation\""), to = text.find("\"states\"");
  text.replace(from, to - from, "\"actuation\": [" + acts + "], \"loads\": [" + loads + "],\n  ");
  return replaced(text, "\"probes\": {", "\"probes\": {" + probes);
}

double tipError(const Simulation& sim, const std::array<Vec3, 5>& reference) {
  double worst = 0;
  for (int k = 0; k < 5; ++k) {
    worst = std::max(worst, (vectorColumn(sim, "tip" + std::to_string(k)) - reference[k]).norm());
  }
  return worst;
}

// The generator's well-known first numbers.
TEST(SelfContactEntanglement, DrawsTheLibrarysNumbers) {
  LibraryRandom draw;
  EXPECT_EQ(draw(), 1804289383);
  EXPECT_EQ(draw(), 846930886);
  EXPECT_EQ(draw(), 1681692777);
}

TEST(SelfContactEntanglement, TanglesAsThePublishedRunDoes) {
  Simulation sim(published());
  const auto runTo = [&](double t) {
    while (sim.time() < t - 1e-9) sim.step();
  };
  struct Row {
    double time, height, tolerance;  // [s], mean height of the tips and how near it has to come [m]
  };
  // Contact begins at 2.3 s. From 9 s on the tangle draws itself together and what differs a little parts.
  const Row rows[] = {{2, -0.296170, 2e-06},  {3, -0.288605, 1e-05},  {4, -0.277874, 1e-05},  {5, -0.264148, 2e-05},
                      {6, -0.246476, 5e-05},  {7, -0.226582, 0.0001}, {8, -0.206004, 0.0003}, {9, -0.194120, 0.0005},
                      {10, -0.181404, 0.001}, {11, -0.171701, 0.0025}};
  const std::array<Vec3, 5> at5 = {Vec3(0.0460995, -0.0429271, -0.264925), Vec3(0.0567965, -0.0313143, -0.262458),
                                   Vec3(0.0750249, -0.0321695, -0.265859), Vec3(0.0718196, -0.0598313, -0.260249),
                                   Vec3(0.0520042, -0.0667982, -0.267248)};
  const std::array<Vec3, 5> at8 = {Vec3(0.0525855, -0.0506073, -0.203142), Vec3(0.0734038, -0.00151544, -0.19576),
                                   Vec3(0.0940847, -0.0213646, -0.213446), Vec3(0.0872366, -0.0586005, -0.205823),
                                   Vec3(0.060312, -0.0853164, -0.211848)};
  for (const Row& row : rows) {
    runTo(row.time);
    EXPECT_NEAR(column(sim, "height"), row.height, row.tolerance) << row.time;
    if (row.time == 5) {
      EXPECT_LT(tipError(sim, at5), 5e-5);
    }
    if (row.time == 8) {
      EXPECT_LT(tipError(sim, at8), 6e-4);
    }
  }
  EXPECT_GT(column(sim, "pairs"), 40);
  EXPECT_LT(sim.maxPenetration(), 1e-6);
}

}  // namespace self_contact_entanglement_test
}  // namespace tendril::test
