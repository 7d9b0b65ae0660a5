// Where along a body its fields are tried when a scene loads: the midpoints of a rod's edges, or places along a link.
// Inner header of the loader.
#pragma once

#include <string>

#include "scene/load/bodies/rod_places.h"
#include "scene/load/context.h"

namespace tendril::scene {

class FieldPlaces {
 public:
  virtual int count() const = 0;
  virtual const formula::Input& at(int place) = 0;
  virtual std::string name(int place) const = 0;  ///< "edge 3"

  /// True where the field has a value in its path's range at every place; otherwise the first that has none is told.
  bool accept(LoadContext& context, const formula::Number& field, const text::Value& value, const std::string& path) {
    if (field.isField())
      for (int k = 0; k < count(); ++k)
        if (!context.checkField(field, at(k), value, path, name(k))) return false;
    return !field.isField() || acceptEnds(context, field, value, path);
  }

 protected:
  virtual bool acceptEnds(LoadContext&, const formula::Number&, const text::Value&, const std::string&) { return true; }
  ~FieldPlaces() = default;
};

/// Edge midpoints of a rod; none while it has no points.
class RodEdges final : public FieldPlaces {
 public:
  RodEdges(const LoadContext& context, const Rod& rod) : places_(context, rod) {}
  int count() const override { return places_.edges(); }
  const formula::Input& at(int edge) override { return places_.atEdge(edge); }
  std::string name(int edge) const override { return "edge " + std::to_string(edge); }

 private:
  RodPlaces places_;
};

/// The middles of fifty parts of a length, and its ends, where the taper of a rigid body may come to a point; of a soft
/// one also where it is integrated. Only s and u are known.
class LinkPlaces final : public FieldPlaces {
 public:
  LinkPlaces(const LoadContext& context, double length) : length_(length), input_(context.input()) {
    for (int k = 0; k < 50; ++k) places_.push_back((k + 0.5) / 50);
  }
  /// Of a soft body: `points` are those of its quadrature, u from 0 to 1.
  LinkPlaces(const LoadContext& context, double length, const std::vector<double>& points) : LinkPlaces(context, length) {
    soft_ = true;
    places_.insert(places_.end(), points.begin(), points.end());
  }
  int count() const override { return int(places_.size()); }
  const formula::Input& at(int place) override { return along(places_[std::size_t(place)]); }
  std::string name(int place) const override { return "u = " + inWords(places_[std::size_t(place)]); }

  const formula::Input& along(double u) {
    input_.u = u;
    input_.s = u * length_;
    return input_;
  }

 protected:
  bool acceptEnds(LoadContext& context, const formula::Number& field, const text::Value& value, const std::string& path) override {
    for (const double u : {0.0, 1.0}) {
      const auto end = context.evaluate(field, along(u), value);
      if (!end) return false;
      if (*end == 0 && soft_ && !rangeOf(path)->holds(0)) {
        context.problem(value, "it is 0 at u = " + inWords(u) +
                                   ", and a soft body needs a section at its very ends too, where it is held, drawn and "
                                   "touched; expected a small one there, such as a hundredth of the largest");
        return false;
      }
      if (*end != 0 && !context.checkField(field, along(u), value, path, "u = " + inWords(u))) return false;
    }
    return true;
  }

 private:
  double length_;
  formula::Input input_;
  std::vector<double> places_;
  bool soft_ = false;
};

/// Reads the cross-section `value`, which stands at `path` ("rods.section"), and tries its fields.
void loadSection(LoadContext& context, const text::Value& value, const std::string& path, FieldPlaces& places,
                 Section& section);  // load_sections.cpp

}  // namespace tendril::scene
