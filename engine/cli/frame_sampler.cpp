// Linear interpolation of everything in a body state.
#include "cli/frame_sampler.h"

#include <cmath>

#include "cli/interrupt.h"

namespace tendril::cli {

namespace {

std::vector<double> mix(const std::vector<double>& a, const std::vector<double>& b, double weight) {
  std::vector<double> result = b;
  if (a.size() == b.size())  // a body that grew keeps its newer shape
    for (std::size_t i = 0; i < b.size(); ++i) result[i] = a[i] + weight * (b[i] - a[i]);
  return result;
}

void normalize(std::vector<double>& triples) {
  for (std::size_t i = 0; i + 2 < triples.size(); i += 3) {
    const double length = std::hypot(triples[i], triples[i + 1], triples[i + 2]);
    if (length > 0)
      for (std::size_t k = 0; k < 3; ++k) triples[i + k] /= length;
  }
}

}  // namespace

Bodies mixBodies(const Bodies& a, const Bodies& b, double weight) {
  Bodies result = b;
  for (std::size_t i = 0; i < b.size(); ++i) {
    using State = BodyState;
    for (const auto field : {&State::nodes, &State::velocity, &State::twist, &State::radius, &State::d1,
                             &State::curvature, &State::stretch, &State::normal, &State::strain, &State::energy})
      result[i].*field = mix(a[i].*field, b[i].*field, weight);
    for (std::size_t k = 0; k < result[i].links.size() && a[i].links.size() == result[i].links.size(); ++k) {
      result[i].links[k].q = mix(a[i].links[k].q, b[i].links[k].q, weight);
      result[i].links[k].v = mix(a[i].links[k].v, b[i].links[k].v, weight);
    }
    normalize(result[i].d1);
    normalize(result[i].normal);
  }
  return result;
}

void FrameSampler::accept(double time, Bodies bodies) {
  if (!ticks_) return sink_(time, bodies);
  for (; ticks_->due(time) && !InterruptGuard::interrupted(); ticks_->advance()) {
    const double weight = first_ ? 1 : ticks_->weight(lastTime_, time);
    if (weight >= 1)
      sink_(ticks_->next(), bodies);
    else
      sink_(ticks_->next(), mixBodies(last_, bodies, weight));
  }
  first_ = false;
  lastTime_ = time;
  last_ = std::move(bodies);
}

}  // namespace tendril::cli
