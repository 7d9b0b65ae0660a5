// A linkage as it is drawn: links as tapered tubes along their centerlines, joints, tendons colored by tension; the
// state at drawn points for result files, and the pointer's spring on one of them.
#pragma once

#include <vector>

#include "links/state.h"
#include "model/model.h"

namespace tendril::links {

class Viewer {
 public:
  explicit Viewer(const State& state) : state_(state) {}

  /// Anew, of the structure at hand.
  void draw();
  const Drawing& drawing() const { return drawing_; }

  // At the accepted state:
  void snapshot(Snapshot& out) const;
  void bodies(std::vector<BodyState>& out) const;
  /// Ties the spring to a drawn point. Throws std::invalid_argument where there is none of this number.
  void grab(int point, PointerSpring& pointer) const;

 private:
  struct Point {
    scene::LinkRef ref;
    int division = 0;   // of a soft link
    double s = 0;       // arc length in it [m]
    double radius = 0;  // [m]
  };
  struct PointState {
    PlaceState state;
    double curvature = 0, strain = 0, energy = 0;
  };
  void drawLinks(Drawing& drawing);
  void drawLink(const BuiltLink& built, const scene::Link& link, Drawing& drawing);
  void drawLoops(Drawing& drawing) const;
  void drawTendons(Drawing& drawing) const;
  void drawLoad(const scene::Load& load, Drawing& drawing) const;
  void drawAt(const scene::LinkRef& ref, const char* kind, const scene::Number3* value, bool own,
              Drawing& drawing) const;
  int nearestPoint(const scene::LinkRef& ref) const;
  PointState stateOf(const Point& point) const;
  void snapJoints(Snapshot& out) const;
  void snapTendons(Snapshot& out) const;

  const State& state_;
  Drawing drawing_;
  std::vector<Point> points_;
};

}  // namespace tendril::links
