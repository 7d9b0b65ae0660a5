// Shells for the tests: meshes written out as scene text, and a shell system at a random, strongly deformed state.
#pragma once

#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>

#include "elastic/hinge.h"
#include "engine/rods_shells/build_scene.h"

namespace tendril::test {

inline std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", v);
  return text;
}

inline std::string meshText(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles) {
  std::string out = "{\"points\": [";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& p = points[i];
    out += (i ? ", [" : "[") + number(p.x()) + ", " + number(p.y()) + ", " + number(p.z()) + "]";
  }
  out += "], \"triangles\": [";
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const auto& t = triangles[i];
    out += (i ? ", [" : "[") + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]) + "]";
  }
  return out + "]}";
}

/// A grid of nx x ny squares halved by alternating diagonals, its vertices placed by `at(i, j)`.
inline std::string gridMesh(int nx, int ny, const std::function<Vec3(int, int)>& at) {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) points.push_back(at(i, j));
  }
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i, b = a + 1, c = a + nx + 1, d = c + 1;
      if ((i + j) % 2) {
        triangles.push_back({a, b, d}), triangles.push_back({a, d, c});
      } else {
        triangles.push_back({a, b, c}), triangles.push_back({b, d, c});
      }
    }
  }
  return meshText(points, triangles);
}

/// A closed box-like octahedron of half-axes a, b, c; outward normals.
inline std::string octahedron(double a, double b, double c) {
  return meshText({{a, 0, 0}, {-a, 0, 0}, {0, b, 0}, {0, -b, 0}, {0, 0, c}, {0, 0, -c}},
                  {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
}

/// A nearly spherical closed mesh of radius r: an octahedron whose faces are divided n times; outward normals.
inline std::string sphere(double r, int n) {
  std::vector<Vec3> points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<std::array<int, 3>> triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                               {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int level = 0; level < n; ++level) {
    std::map<std::pair<int, int>, int> middle;
    const auto half = [&](int a, int b) {
      auto [found, isNew] = middle.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(points.size()));
      if (isNew) points.push_back((points[a] + points[b]).normalized());
      return found->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& t : triangles) {
      const int a = half(t[1], t[2]), b = half(t[2], t[0]), c = half(t[0], t[1]);
      finer.push_back({t[0], c, b}), finer.push_back({c, t[1], a}), finer.push_back({b, a, t[2]});
      finer.push_back({a, b, c});
    }
    triangles = finer;
  }
  for (Vec3& p : points) p *= r;
  return meshText(points, triangles);
}

/// A shell system at a random accepted state and a trial state far from it, with inertia and damping rates set.
struct ShellState {
  scene::Scene scene;
  world::World world;
  rods_shells::System system;
  std::vector<double> columns;
  std::mt19937 random;
  VectorX accepted, trial;
  solve::Kinematics kinematics;

  /// `reach`: how far nodes move [m]. `change` acts on the loaded scene first.
  ShellState(const std::string& text, unsigned seed, double reach = 0.06,
             const std::function<void(scene::Scene&)>& change = {})
      : scene(changed(text, change)), world(scene), system(world), random(seed) {
    columns.assign(scene.columns.size() + scene.states.size() + 1, 0.0);
    int tries = 0;
    do {
      if (++tries > 2000) throw std::runtime_error("no state of sound triangles found");
      accepted = VectorX::Zero(system.size());
      move(accepted, reach, 0.5);
      prepare(0.5, accepted);
    } while (flattest(accepted) < 0.25 || system.elasticity().largestTurn(accepted) > 1.4);
    system.accept(accepted);
    system.elasticity().strains(accepted, system.elasticity().references());
    do {
      if (++tries > 4000) throw std::runtime_error("no state of sound triangles found");
      trial = accepted;
      move(trial, reach, 0.7);
      prepare(1, trial);
    } while (flattest(trial) < 0.25 || system.elasticity().largestTurn(trial) > 1.4);
    kinematics.rates = {20, 100};  // inertia, damping and elasticity of the same size
    kinematics.base = accepted;
    kinematics.v0 = kinematics.a0 = VectorX::Zero(system.size());
    move(kinematics.v0, 0.5, 1);
    move(kinematics.a0, 5, 10);
  }
  ShellState(const ShellState&) = delete;

  const rods_shells::Structure& structure() const { return system.structure(); }
  void prepare(double t, VectorX& q) {
    scene::Instant instant;
    instant.t = instant.middle = t;
    instant.columns = columns.data();
    const VectorX before = q;
    system.prepare(instant, instant, t, before, false, q);
  }
  /// Friction lagged from the accepted state, normal damping over a step of 0.05 s from there.
  void beginContact() {
    scene::Instant instant;
    instant.t = instant.middle = 1;
    instant.columns = columns.data();
    VectorX x = trial;
    system.prepare(instant, instant, 0.95, accepted, false, x);
    system.beginContact(accepted);
    system.lagFriction(accepted);
  }
  Vec3 place(const VectorX& q, int node) const {
    return structure().nodes[node] + q.segment<3>(structure().nodeDof[node]);
  }
  /// Smallest altitude over longest edge of a triangle, 0.87 for an equilateral one. Triangles that all but lose their
  /// area would drown finite differences in round-off.
  double flattest(const VectorX& q) const {
    double least = 1;
    for (const rods_shells::ShellTriangle& t : structure().shell.triangles) {
      const Vec3 a = place(q, t.nodes[0]), b = place(q, t.nodes[1]), c = place(q, t.nodes[2]);
      const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
      least = std::min(least, (b - a).cross(c - a).norm() / (longest * longest));
    }
    return least;
  }
  void move(VectorX& q, double nodes, double turns) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < q.size(); ++i) q[i] += nodes * uniform(random);
    for (const rods_shells::Edge& e : structure().edges) q[e.theta] += turns * uniform(random);
    for (const rods_shells::ShellEdge& e : structure().shell.edges) {
      if (e.psi >= 0) q[e.psi] += turns * uniform(random);
    }
  }
  VectorX direction() {
    VectorX d = VectorX::Zero(accepted.size());
    move(d, 1, 1);
    for (int i = 0; i < d.size(); ++i) {
      if (system.supports().prescribed()[i]) d[i] = 0;
    }
    return d / d.norm();
  }
  solve::Evaluation evaluate(const VectorX& x, solve::Level level, VectorX& r) {
    const VectorX v = kinematics.rates.v * (x - kinematics.base) + kinematics.v0;
    const VectorX a = kinematics.rates.a * (x - kinematics.base) + kinematics.a0;
    return system.evaluate({x, v, a}, kinematics.rates, level, r);
  }

 private:
  static scene::Scene changed(const std::string& text, const std::function<void(scene::Scene&)>& change) {
    scene::Scene scene = loaded(text);
    if (change) change(scene);
    return scene;
  }
};

}  // namespace tendril::test
