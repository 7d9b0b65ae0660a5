// Which pairs of edges are neighbors along the structure: straight rods of fine and coarse mesh, rings, joints, a
// star, and what must stay a contact.
#include "contact/exclusions.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tendril::contact {
namespace exclusions_test {

struct Frame {
  std::vector<Vec3> nodes;
  std::vector<std::array<int, 2>> edges;
  std::vector<double> lengths, radii;

  int node(const Vec3& x) {
    nodes.push_back(x);
    return static_cast<int>(nodes.size()) - 1;
  }
  void edge(int a, int b, double radius) {
    edges.push_back({a, b});
    lengths.push_back((nodes[b] - nodes[a]).norm());
    radii.push_back(radius);
  }
  /// `count` edges from a node on; returns the last node.
  int leg(int from, const Vec3& direction, double length, int count, double radius) {
    const Vec3 start = nodes[from];
    for (int i = 1; i <= count; ++i) {
      const int to = node(start + (i * length / count) * direction.normalized());
      edge(from, to, radius);
      from = to;
    }
    return from;
  }
  int size() const { return static_cast<int>(edges.size()); }
  Exclusions exclusions(double reach = 0.013) const {
    return Exclusions(edges, lengths, radii, nodes, [reach](int, int) { return reach; });
  }
};

void expectSymmetric(const Frame& f, const Exclusions& e) {
  std::size_t pairs = 0;
  for (int i = 0; i < f.size(); ++i) {
    EXPECT_TRUE(e.excluded(i, i));
    for (int j = 0; j < i; ++j) {
      EXPECT_EQ(e.excluded(i, j), e.excluded(j, i));
      pairs += e.excluded(i, j);
    }
  }
  EXPECT_EQ(pairs, e.size());
}

TEST(Exclusions, StraightRodFineMesh) {
  // Edges of 0.01 m, radius 0.05 m: nearest ends closer than (pi/2) 0.1 = 0.157 m, up to 15 edges in between. Edges
  // that touch at the start (gap 0.16 - 0.1 > reach) do not reach further.
  Frame f;
  f.leg(f.node(Vec3::Zero()), Vec3(1, 2, -1), 2, 200, 0.05);
  const Exclusions e = f.exclusions();
  expectSymmetric(f, e);
  for (int i = 0; i < 200; ++i) {
    for (int j = i + 1; j < 200; ++j) EXPECT_EQ(e.excluded(i, j), j - i - 1 <= 15) << i << " " << j;
  }
}

TEST(Exclusions, FinerMeshExcludesTheSameLength) {
  for (const int count : {50, 100, 400}) {
    Frame f;
    f.leg(f.node(Vec3::Zero()), Vec3(1, 0, 0), 2, count, 0.05);
    const Exclusions e = f.exclusions();
    int last = 0;
    while (e.excluded(0, last + 1)) ++last;
    const double between = (last - 1) * 2.0 / count;
    EXPECT_LT(between, 0.1571);
    EXPECT_GT(between + 2.0 / count, 0.157);
  }
}

TEST(Exclusions, StraightRodCoarseMesh) {
  Frame f;
  f.leg(f.node(Vec3::Zero()), Vec3(0, 0, 1), 10, 10, 0.05);
  const Exclusions e = f.exclusions();
  for (int i = 0; i < 10; ++i) {
    for (int j = i + 1; j < 10; ++j) EXPECT_EQ(e.excluded(i, j), j == i + 1);
  }
}

TEST(Exclusions, RingAcrossItsSeamAndNotAcrossItself) {
  Frame f;
  const int count = 60;
  const double ring = 0.3, radius = 0.02;
  for (int i = 0; i < count; ++i) {
    f.node(ring * Vec3(std::cos(2 * pi * i / count), std::sin(2 * pi * i / count), 0));
  }
  for (int i = 0; i < count; ++i) f.edge(i, (i + 1) % count, radius);
  const Exclusions e = f.exclusions();
  expectSymmetric(f, e);
  const double length = f.lengths[0];
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const int steps = std::min(j - i, count - (j - i));
      EXPECT_EQ(e.excluded(i, j), (steps - 1) * length < pi * radius) << i << " " << j;
    }
  }
}

TEST(Exclusions, FarSidesOfAFlatLoopStayContacts) {
  // A hairpin loop whose two sides touch from the start: contacts, but for the ends where they turn.
  Frame f;
  const double radius = 0.02;
  int at = f.node(Vec3::Zero());
  at = f.leg(at, Vec3(1, 0, 0), 1, 50, radius);
  at = f.leg(at, Vec3(0, 1, 0), 2 * radius, 2, radius);
  at = f.leg(at, Vec3(-1, 0, 0), 1, 50, radius);
  f.edge(at, 0, radius);
  const Exclusions e = f.exclusions(0.03);
  expectSymmetric(f, e);
  EXPECT_FALSE(e.excluded(25, 52 + 24));  // opposite each other in the middle of the sides
  EXPECT_FALSE(e.excluded(0, 49));
  EXPECT_TRUE(e.excluded(48, 52 + 0));  // around the bend
  EXPECT_TRUE(e.excluded(0, 101));      // around the closing edge
}

TEST(Exclusions, JointsAtRightAngles) {
  // L and T of thin fine legs: the arc rule alone would leave edges that overlap at the joint; the rule of initial
  // touch takes them.
  Frame f;
  const double radius = 0.02, reach = 0.03, step = 0.01;
  const int joint = f.node(Vec3::Zero());
  f.leg(joint, Vec3(1, 0, 0), 0.5, 50, radius);
  f.leg(joint, Vec3(-1, 0, 0), 0.5, 50, radius);
  f.leg(joint, Vec3(0, 1, 0), 0.5, 50, radius);
  const Exclusions e = f.exclusions(reach);
  expectSymmetric(f, e);
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 50; ++j) {
      const double g = step * (i + j), gap = step * std::hypot(i, j) - 2 * radius;
      const bool corner = g < pi * radius || (g < 8 * radius && gap < reach);
      EXPECT_EQ(e.excluded(i, 100 + j), corner) << i << " " << j;       // L
      EXPECT_EQ(e.excluded(50 + i, 100 + j), corner) << i << " " << j;  // T
      EXPECT_EQ(e.excluded(i, 50 + j), step * (i + j) < pi * radius || (step * (i + j) < 2 * radius + reach)) << i;
    }
  }
}

TEST(Exclusions, StarOfFiveLegs) {
  // Whatever overlaps at the start of legs 72 degrees apart is excluded; the tips are not.
  Frame f;
  const double radius = 0.02, reach = 0.01;
  const int joint = f.node(Vec3(1, 1, 1)), count = 30;
  for (int k = 0; k < 5; ++k) {
    f.leg(joint, Vec3(std::cos(0.4 * pi * k), std::sin(0.4 * pi * k), 0), 0.3, count, radius);
  }
  const Exclusions e = f.exclusions(reach);
  expectSymmetric(f, e);
  for (int leg = 1; leg < 5; ++leg) {
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) {
        const double a = 0.01 * i, b = 0.01 * j, angle = 0.4 * pi * leg;
        const double distance = std::sqrt(a * a + b * b - 2 * a * b * std::cos(angle));
        if (distance < 2 * radius + 0.9 * reach) {
          EXPECT_TRUE(e.excluded(i, leg * count + j)) << leg << i << j;
        }
      }
    }
    EXPECT_FALSE(e.excluded(count - 1, (leg + 1) * count - 1));
    EXPECT_FALSE(e.excluded(0, (leg + 1) * count - 1));
  }
}

TEST(Exclusions, NoJointNoExclusion) {
  // Two rods that lie on each other.
  Frame f;
  f.leg(f.node(Vec3::Zero()), Vec3(1, 0, 0), 0.2, 20, 0.05);
  f.leg(f.node(Vec3(0, 0.01, 0)), Vec3(1, 0, 0), 0.2, 20, 0.05);
  const Exclusions e = f.exclusions();
  for (int i = 0; i < 20; ++i) {
    for (int j = 20; j < 40; ++j) EXPECT_FALSE(e.excluded(i, j));
  }
}

TEST(Exclusions, ThickEdgeAmongThinOnesAndLinksOfZeroRadius) {
  // The pair's radii count whichever edge the search starts from, and edges that share a node never need a radius.
  for (const bool thickFirst : {true, false}) {
    Frame f;
    int at = f.node(Vec3::Zero());
    if (thickFirst) at = f.leg(at, Vec3(1, 0, 0), 0.1, 1, 0.1);
    at = f.leg(at, Vec3(1, 0, 0), 1, 100, 0.001);
    if (!thickFirst) f.leg(at, Vec3(1, 0, 0), 0.1, 1, 0.1);
    const Exclusions e = f.exclusions(1e-4);
    for (int k = 0; k < 100; ++k) {
      const int thin = thickFirst ? k + 1 : 99 - k, thick = thickFirst ? 0 : 100;
      EXPECT_EQ(e.excluded(thick, thin), 0.01 * k < 0.5 * pi * 0.101) << k;
    }
    EXPECT_FALSE(e.excluded(30, 32));
  }
  Frame f;
  f.leg(f.node(Vec3::Zero()), Vec3(1, 0, 0), 1, 3, 0);
  const Exclusions e = f.exclusions(0);
  EXPECT_TRUE(e.excluded(0, 1));
  EXPECT_FALSE(e.excluded(0, 2));
}

TEST(Exclusions, ShortestOfTwoWaysCounts) {
  // A long way and a short bridge between the same two nodes.
  Frame f;
  const double radius = 0.02;
  const int a = f.node(Vec3::Zero());
  const int b = f.leg(a, Vec3(1, 0, 0), 0.04, 1, radius);
  const int far = f.leg(a, Vec3(0, -1, 0), 0.5, 5, radius);
  f.edge(far, b, radius);
  const int before = f.size();
  f.leg(a, Vec3(-1, 0, 0), 0.5, 10, radius);
  f.leg(b, Vec3(1, 1, 0), 0.5, 10, radius);
  const Exclusions e = f.exclusions(1e-3);
  EXPECT_TRUE(e.excluded(before, before + 10));  // 0.04 over the bridge
  EXPECT_FALSE(e.excluded(before + 2, before + 12));
}

TEST(Exclusions, ManyEdges) {
  Frame f;
  f.leg(f.node(Vec3::Zero()), Vec3(1, 0, 0), 50, 50000, 0.001);
  const Exclusions e = f.exclusions(1e-4);
  // (pi/2) 0.002 m: neighbors up to 3 edges in between.
  EXPECT_EQ(e.size(), 4u * 50000 - 1 - 2 - 3 - 4);
}

}  // namespace exclusions_test
}  // namespace tendril::contact
