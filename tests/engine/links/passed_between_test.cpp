// Links that are stretched, or long and thin, until an obstacle may pass between the points that touch it: never in
// silence.
#include <gtest/gtest.h>

#include <cmath>
#include <exception>
#include <string>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace passed_between_test {

using test::column;
using test::digits;
using test::filled;

// A soft link between a held end and a car that stretches it, and a bar that comes down on it midway between two
// points.
struct Piercing {
  bool passed = false;
  int warned = 0;
  std::string words;
};

struct Pierced {
  double length = 0.1, stretch = 1, bar = 0.002, depth = 0.05, time = 0.4;
  int points = 29, divisions = 1;
};

Piercing piercing(const Pierced& p) {
  std::string divisions;
  for (int d = 0; d < p.divisions; ++d) divisions += d ? ", {}" : "{}";
  const double x = p.length * p.stretch * (std::floor(0.5 * p.points) + 0.5) / p.points;
  Simulation sim(filled(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1100, "poisson": 0.4, "damping": 200}}, "linkages": {"a": {"links": {
      "car": {"joint": {"prismatic": {"axis": "x", "displacement": "=$more*min(1, t/0.1)"}}, "offset": {"position": [$length, 0, 0]}, "body": {"rigid": {"length": 0, "mass": 1}}},
      "b": {"parent": "base", "body": {"soft": {"length": $length, "section": {"circle": {"radius": 0.002}}, "material": "m", "strains": {"bendY": $order, "stretch": 0}, "points": 12,
        "divisions": [$divisions]}}}}, "loops": [{"from": "car", "to": "b", "joint": {"revolute": {"axis": "y"}}}]}},
    "obstacles": {"bar": {"capsule": {"from": [$x, -0.05, 0.02], "to": [$x, 0.05, 0.02], "radius": $bar}, "displacement": [0, 0, "=-$depth*min(1, max(0, (t - 0.15)/$time))"]}},
    "contact": {"stiffness": 30}, "solver": {"dt": 1e-3, "duration": $end}, "probes": {"middle": {"position": "a/b@0.5"}}})J",
      {{"more", digits(p.length * (p.stretch - 1))},
       {"length", digits(p.length)},
       {"order", p.divisions > 1 ? "1" : "4"},
       {"divisions", divisions},
       {"x", digits(x)},
       {"bar", digits(p.bar)},
       {"depth", digits(p.depth)},
       {"time", digits(p.time)},
       {"end", digits(0.17 + p.time)}}));
  Piercing out;
  try {
    for (const std::string& warning : test::runToEnd(sim).warnings) {
      if (warning.find("may pass between") != std::string::npos) ++out.warned, out.words = warning;
    }
    out.passed = p.depth > 0.03 && column(sim, "middle.z") > -0.002;
  } catch (const std::exception&) {  // it gave up: an obstacle would pass through
  }
  return out;
}

// 29 points on 0.1 m are 3.45 mm apart, and 2 + 2 mm close the way between them: up to 1.16 times the length.
TEST(PassedBetween, NothingPiercesALinkInSilence) {
  for (const double stretch : {1.0, 1.1, 1.15, 1.17, 1.25, 1.5, 3.0}) {
    Pierced p;
    p.stretch = stretch;
    const Piercing here = piercing(p);
    EXPECT_EQ(here.passed, stretch > 1.16) << stretch;
    EXPECT_EQ(here.warned, stretch > 1.16 ? 1 : 0) << stretch << here.words;
  }
}

TEST(PassedBetween, IsToldWithTheLinkTheStretchAndARemedyThatHelps) {
  Pierced p;
  p.stretch = 1.5;
  const Piercing here = piercing(p);
  EXPECT_NE(here.words.find("\"a/b\" is stretched to 1.5 times its length where it meets obstacle \"bar\""),
            std::string::npos)
      << here.words;
  EXPECT_NE(here.words.find("0.00517 m apart there, and beyond 0.004 m"), std::string::npos) << here.words;
  EXPECT_NE(here.words.find("\"divisions\" shorter than 0.0023 m"), std::string::npos) << here.words;
  p.divisions = p.points = 45;
  const Piercing finer = piercing(p);
  EXPECT_FALSE(finer.passed || finer.warned) << finer.words;
}

// At rest too: 60 points are 8.3 mm apart. What the places between them do not hold, within one step, is told.
TEST(PassedBetween, OfALongThinLinkIsToldToo) {
  Pierced p;
  p.length = 0.5, p.points = 60;
  const Piercing held = piercing(p);
  EXPECT_FALSE(held.passed || held.warned) << held.words;
  p.time = 1e-4;
  const Piercing here = piercing(p);
  EXPECT_NE(here.words.find("\"a/b\" meets obstacle \"bar\": the points"), std::string::npos) << here.words;
  EXPECT_NE(here.words.find("\"divisions\" shorter than 0.21 m"), std::string::npos) << here.words;
  p.divisions = 3, p.points = 180;
  const Piercing finer = piercing(p);
  EXPECT_FALSE(finer.passed || finer.warned) << finer.words;
}

TEST(PassedBetween, WhatOnlyTouchesOrIsFarIsNoMatter) {
  Pierced p;
  p.stretch = 2;
  for (const double depth : {0.005, 0.016, 0.0175}) {  // touch at 16 mm; half way to the core at 18
    p.depth = depth;
    EXPECT_EQ(piercing(p).warned, 0) << depth;
  }
  p.depth = 0.05, p.time = 1e-4;  // within one step
  EXPECT_EQ(piercing(p).warned, 1);
}

}  // namespace passed_between_test
}  // namespace tendril::links
