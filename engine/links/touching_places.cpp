#include "links/touching_places.h"

#include <algorithm>
#include <cmath>

#include "geometry/sort_rows.h"

namespace tendril::links {
namespace {

constexpr int looks = 256;      // at the profile, evenly
constexpr int narrowings = 40;  // of where it stands out most

class ProfileCover {
 public:
  ProfileCover(double length, const std::function<double(double, double)>& radius) : length_(length), radius_(radius) {
    for (int k = 0; k <= looks; ++k) profile_.push_back(at(static_cast<double>(k) / looks));
    widest_ = *std::max_element(profile_.begin(), profile_.end());
  }

  // Where the profile is farthest from being covered; below 0 where it is covered.
  double worst(const std::vector<TouchingPlace>& places) const {
    double most = 0;
    int found = -1;
    for (int k = 0; k <= looks; ++k) {
      const double r = profile_[static_cast<std::size_t>(k)], here = gap(places, static_cast<double>(k) / looks, r);
      if (here > uncovered * r && here > most) most = here, found = k;
    }
    return found < 0 ? -1 : narrowed(places, found);
  }

  // 0 where the profile peaks; where it bends or steps the slope of the flatter side.
  double slope(double u) const {
    const double h = 1e-6, r = at(u);
    const double left = u > h ? (r - at(u - h)) / (h * length_) : 0,
                 right = u + h < 1 ? (at(u + h) - r) / (h * length_) : 0;
    if (!(left * right > 0)) return 0;
    return std::abs(left) < std::abs(right) ? left : right;
  }

  // The sphere tangent to the profile there; where that is none of the body's, the section's.
  TouchingPlace tangent(double u) const {
    const double r = at(u), rise = slope(u);
    const double center = u + rise * r / length_, wide = r * std::sqrt(1 + rise * rise);
    if (!(center >= 0 && center <= 1 && wide <= (1 + uncovered) * widest_)) return {u, u * length_, r};
    return {center, center * length_, wide};
  }

  // Whether a sphere of the section's radius there does so of the surface, down its slope.
  bool standsOut(double u) const {
    constexpr int steps = 16;
    const double r = at(u), rise = slope(u);
    for (int k = 1; k <= steps && rise != 0; ++k) {
      const double way = r * k / steps, to = u - std::copysign(way / length_, rise);
      if (to < 0 || to > 1) return false;
      if (std::sqrt(r * r - way * way) - at(to) > uncovered * r) return true;
    }
    return false;
  }

 private:
  double at(double u) const { return radius_(u * length_, u); }

  // By how much the profile stands out of the spheres and of the cones between neighbors [m].
  double gap(const std::vector<TouchingPlace>& places, double u, double r) const {
    const double s = u * length_;
    double cover = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const TouchingPlace& p = places[i];
      cover = std::max(cover, std::sqrt(std::max(0.0, p.radius * p.radius - (s - p.s) * (s - p.s))));
      if (i == 0 || s < places[i - 1].s || s > p.s || p.s == places[i - 1].s) continue;
      const double part = (s - places[i - 1].s) / (p.s - places[i - 1].s);
      cover = std::max(cover, (1 - part) * places[i - 1].radius + part * p.radius);
    }
    return r - cover;
  }

  // By golden sections around a look: edges of steps too, as the gap grows toward one and drops behind it.
  double narrowed(const std::vector<TouchingPlace>& places, int found) const {
    constexpr double golden = 0.6180339887498949;
    double from = std::max(0, found - 1) / static_cast<double>(looks),
           to = std::min(looks, found + 1) / static_cast<double>(looks);
    double best = static_cast<double>(found) / looks, most = gap(places, best, at(best));
    const auto look = [&](double u) {
      const double here = gap(places, u, at(u));
      if (here > most) most = here, best = u;
      return here;
    };
    double a = to - golden * (to - from), b = from + golden * (to - from), atA = look(a), atB = look(b);
    for (int k = 0; k < narrowings; ++k) {
      if (atA < atB) {
        from = a, a = b, atA = atB, b = from + golden * (to - from), atB = look(b);
      } else {
        to = b, b = a, atB = atA, a = to - golden * (to - from), atA = look(a);
      }
    }
    return best;
  }

  double length_;
  const std::function<double(double, double)>& radius_;
  std::vector<double> profile_;
  double widest_ = 0;
};

void sort(std::vector<TouchingPlace>& places) {
  geometry::sortRows(places, [](const TouchingPlace& a, const TouchingPlace& b) { return a.s < b.s; });
}

// Of two that lie within each other the first stays.
bool dropInner(std::vector<TouchingPlace>& places, double slack) {
  constexpr double roundOff = 1e-6;  // of the outer radius: poles of a ball
  std::vector<TouchingPlace> kept;
  for (std::size_t i = 0; i < places.size(); ++i) {
    bool inner = false;
    for (std::size_t j = 0; j < places.size() && !inner; ++j) {
      const auto within = [&](const TouchingPlace& a, const TouchingPlace& b) {
        return slack * std::abs(a.s - b.s) + a.radius <= (1 + roundOff) * b.radius;
      };
      inner = i != j && within(places[i], places[j]) && (j < i || !within(places[j], places[i]));
    }
    if (!inner) kept.push_back(places[i]);
  }
  const bool dropped = kept.size() < places.size();
  places = std::move(kept);
  return dropped;
}

}  // namespace

std::vector<TouchingPlace> touchingPlaces(double length, int parts,
                                          const std::function<double(double s, double u)>& radius, double slack) {
  std::vector<TouchingPlace> places;
  for (int n = 0; n <= parts; ++n) {
    const double u = static_cast<double>(n) / parts, s = length * n / parts;
    places.push_back({u, s, radius(s, u), length / parts, length / parts * (n == 0 || n == parts ? 0.5 : 1)});
  }
  const ProfileCover profile(length, radius);
  // On flanks even places would stand out of the surface; the ends are round, as those of cylinders.
  bool changed = false;
  for (int n = 1; n < parts; ++n) {
    TouchingPlace& p = places[static_cast<std::size_t>(n)];
    if (profile.standsOut(p.u)) p = profile.tangent(p.u), changed = true;
  }
  if (changed) sort(places);
  double u = 0;
  for (int added = 0; added < mostAdded && (u = profile.worst(places)) >= 0; ++added) {
    places.push_back(profile.tangent(u));
    sort(places);
    changed = true;
  }
  if (dropInner(places, slack)) changed = true;
  if (!changed) return places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double before = i == 0 ? 0 : places[i - 1].s, after = i + 1 == places.size() ? length : places[i + 1].s;
    places[i].apart = places[i].s - before;
    const double left = i == 0 ? places[i].s : 0.5 * (places[i].s - before);
    places[i].share = left + (i + 1 == places.size() ? length - places[i].s : 0.5 * (after - places[i].s));
  }
  return places;
}

}  // namespace tendril::links
