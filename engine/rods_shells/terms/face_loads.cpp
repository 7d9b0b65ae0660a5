#include "rods_shells/terms/face_loads.h"

#include <algorithm>

#include "world/surroundings.h"

namespace tendril::rods_shells {

FaceLoads::FaceLoads(const Structure& structure, const scene::Scene& scene) : s_(structure), scene_(scene) {
  pressure_.assign(s_.shell.triangles.size(), 0.0);
  for (const scene::Load& load : scene.loads) loaded_.push_back(trianglesOf(load));
}

std::vector<int> FaceLoads::trianglesOf(const scene::Load& load) const {
  std::vector<int> triangles;
  if (load.kind != scene::Load::Kind::pressure) return triangles;
  std::vector<char> in(s_.nodes.size(), 0), body(scene_.shells.size(), 0);
  for (const scene::NodeRef& ref : load.nodes) {
    if (scene_.isRod(ref.body)) continue;
    in[s_.node(ref)] = 1;
    body[static_cast<std::size_t>(ref.body) - scene_.rods.size()] = 1;
  }
  for (std::size_t i = 0; i < s_.shell.triangles.size(); ++i) {
    const ShellTriangle& t = s_.shell.triangles[i];
    if (body[t.shell] && in[t.nodes[0]] && in[t.nodes[1]] && in[t.nodes[2]]) triangles.push_back(static_cast<int>(i));
  }
  return triangles;
}

void FaceLoads::prepare(const scene::Instant& /*end*/, const scene::Instant& instant, double /*t0*/) {
  if (pressure_.empty()) return;
  const formula::Input in = scene::timedInput(scene_, instant);
  active_ = false;
  std::fill(pressure_.begin(), pressure_.end(), 0.0);
  const auto press = [&](const scene::Load& load, const std::vector<int>& triangles) {
    if (triangles.empty() || !scene::isActive(load.interval, instant)) return;
    const double p = instant.factor * load.pressure(in);
    for (int t : triangles) pressure_[t] += p;
    active_ = active_ || p != 0;
  };
  for (std::size_t i = 0; i < loaded_.size(); ++i) press(scene_.loads[i], loaded_[i]);
  if (instant.extra) {
    for (const scene::Load& load : *instant.extra) press(load, trianglesOf(load));
  }
  drag_ = 0.5 * world::mediumDensity(scene_, instant) * scene_.environment.drag(in);
  medium_ = world::mediumVelocity(scene_, instant);
  // In statics nothing moves but the medium.
  if (!scene_.solver.dynamic && medium_.isZero(0)) drag_ = 0;
  active_ = active_ || drag_ != 0;
}

void FaceLoads::bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) {
  values_ = solver.values().data();
  offsets_.resize(s_.shell.triangles.size());
  dofs_.resize(s_.shell.triangles.size());
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    const ShellTriangle& t = s_.shell.triangles[i];
    for (int k = 0; k < 9; ++k) {
      const int dof = s_.nodeDof[t.nodes[k / 3]] + k % 3;
      dofs_[i][k] = prescribed[dof] ? -1 : dof;
    }
    for (int r = 0, k = 0; r < 9; ++r) {
      for (int c = 0; c <= r; ++c, ++k) {
        const bool out = dofs_[i][r] < 0 || dofs_[i][c] < 0;
        offsets_[i][k] = out ? solver.trash() : solver.offset(dofs_[i][r], dofs_[i][c]);
      }
    }
  }
  edgeDofs_.resize(s_.shell.edges.size());
  for (std::size_t i = 0; i < edgeDofs_.size(); ++i) {
    const ShellEdge& e = s_.shell.edges[i];
    for (int k = 0; k < 6; ++k) {
      const int dof = s_.nodeDof[k < 3 ? e.a : e.b] + k % 3;
      edgeDofs_[i][k] = prescribed[dof] ? -1 : dof;
    }
  }
}

void FaceLoads::complete() {
  edges_.clear();
  if (!active_) return;
  for (std::size_t i = 0; i < s_.shell.edges.size(); ++i) {
    const ShellEdge& e = s_.shell.edges[i];
    const double difference = pressure_[e.triangle[0]] - (e.isBorder() ? 0 : pressure_[e.triangle[1]]);
    const auto& d = edgeDofs_[i];
    const bool held = std::all_of(d.begin(), d.end(), [](int dof) { return dof < 0; });
    if (difference != 0 && !held) edges_.push_back({static_cast<int>(i), difference});
  }
}

bool FaceLoads::hasPotential() const {
  if (drag_ != 0) return part_->triangles.empty();
  return std::none_of(edges_.begin(), edges_.end(), [this](const auto& edge) { return isMine(edge.first); });
}

double FaceLoads::potential(const VectorX& q) const {
  double sum = 0;
  if (!hasPotential()) return sum;
  for (const int i : part_->triangles) {
    if (pressure_[i] == 0) continue;
    Vec3 x[3];
    for (int k = 0; k < 3; ++k) {
      const int node = s_.shell.triangles[i].nodes[k];
      x[k] = s_.nodes[node] + q.segment<3>(s_.nodeDof[node]);
    }
    sum -= pressure_[i] / 6 * x[0].dot(x[1].cross(x[2]));
  }
  return sum;
}

// The skew part of pressure's Jacobian is made of products of edges, which run to and fro where two triangles bear the
// same pressure: only edges between unlike pressures leave a rest.
void FaceLoads::addEdge(int edge, double pressure, const VectorX& q, solve::PartedTangent& tangent) const {
  const ShellEdge& e = s_.shell.edges[edge];
  const Mat3 k =
      geometry::skew((pressure / 12) * (e.initial + q.segment<3>(s_.nodeDof[e.b]) - q.segment<3>(s_.nodeDof[e.a])));
  Mat<6> block;
  block << 2 * k, k, k, 2 * k;
  tangent.add(edgeDofs_[edge], block);
}

// -dF/dq of drag, which consists of products along n^T.
void FaceLoads::addDrag(int triangle, elastic::FaceDrag& drag, double rate, solve::PartedTangent& tangent) const {
  const Vec3& n = drag.normal;
  for (int i = 0; i < 3; ++i) drag.along[i][i] += (rate * drag.slope[i]) * n;
  const int* offsets = offsets_[triangle].data();
  Mat<9> skew;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      const Vec3 &down = drag.along[i][j], &up = drag.along[j][i];
      for (int p = 0; p < 3; ++p) {
        const int r = 3 * i + p;
        for (int q = 0; q < 3; ++q) {
          const int c = 3 * j + q;
          const double lower = -0.5 * down[p] * n[q], upper = -0.5 * up[q] * n[p];
          if (c <= r) values_[offsets[r * (r + 1) / 2 + c]] += lower + upper;
          skew(r, c) = lower - upper;
          skew(c, r) = upper - lower;
        }
      }
    }
  }
  tangent.add(dofs_[triangle], skew);
}

void FaceLoads::addPressure(int triangle, const Vec3 x[3], const int d[3], VectorX& residual,
                            solve::PartedTangent* tangent) const {
  const Vec3 force = elastic::facePressure(x[0], x[1], x[2], pressure_[triangle]);
  for (int k = 0; k < 3; ++k) residual.segment<3>(d[k]) -= force;
  if (!tangent) return;
  Mat3 j[3];
  elastic::facePressureJacobian(x[0], x[1], x[2], pressure_[triangle], j);
  // The symmetric part of -dF_r / dx_c = -j[c], skew itself.
  const int* o = offsets_[triangle].data();
  for (int r = 0; r < 9; ++r) {
    for (int c = 0; c <= r; ++c) values_[*o++] += 0.5 * (j[r / 3](r % 3, c % 3) - j[c / 3](r % 3, c % 3));
  }
}

double FaceLoads::drained(const VectorX& q, const VectorX& v, const VectorX& mean) const {
  double power = 0;
  if (drag_ == 0) return power;
  for (const int i : part_->triangles) {
    const ShellTriangle& t = s_.shell.triangles[i];
    Vec3 x[3], u[3];
    for (int k = 0; k < 3; ++k) {
      const int d = s_.nodeDof[t.nodes[k]];
      x[k] = s_.nodes[t.nodes[k]] + q.segment<3>(d);
      u[k] = v.segment<3>(d) - medium_;
    }
    const elastic::FaceDrag drag =
        elastic::faceDrag(x[0], x[1], x[2], u[0], u[1], u[2], drag_ * t.rest.area / 3, false);
    for (int k = 0; k < 3; ++k) power -= drag.force[k].dot(mean.segment<3>(s_.nodeDof[t.nodes[k]]) - medium_);
  }
  return power;
}

void FaceLoads::evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& out) {
  if (!active_) return;
  if (level != solve::Level::value) add(q, v, rate, out.forces, out.tangent);
  if (!out.evaluation.hasPotential) return;
  const double volume = potential(q);
  out.evaluation.potential += volume;
  out.evaluation.magnitude = std::max(out.evaluation.magnitude, std::abs(volume));
}

void FaceLoads::add(const VectorX& q, const VectorX& v, double rate, VectorX& residual,
                    solve::PartedTangent* tangent) const {
  const bool moving = scene_.solver.dynamic;
  for (const int i : part_->triangles) {
    if (drag_ == 0 && pressure_[i] == 0) continue;
    const ShellTriangle& t = s_.shell.triangles[i];
    int d[3];
    Vec3 x[3], u[3];
    for (int k = 0; k < 3; ++k) {
      d[k] = s_.nodeDof[t.nodes[k]];
      x[k] = s_.nodes[t.nodes[k]] + q.segment<3>(d[k]);
      u[k] = moving ? Vec3(v.segment<3>(d[k]) - medium_) : Vec3(-medium_);
    }
    if (pressure_[i] != 0) addPressure(i, x, d, residual, tangent);
    if (drag_ == 0) continue;
    elastic::FaceDrag drag =
        elastic::faceDrag(x[0], x[1], x[2], u[0], u[1], u[2], drag_ * t.rest.area / 3, tangent != nullptr);
    for (int k = 0; k < 3; ++k) residual.segment<3>(d[k]) -= drag.force[k];
    if (tangent) addDrag(i, drag, rate, *tangent);
  }
  if (!tangent) return;
  for (const auto& [edge, difference] : edges_) {
    if (isMine(edge)) addEdge(edge, difference, q, *tangent);
  }
}

}  // namespace tendril::rods_shells
