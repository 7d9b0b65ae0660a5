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

  /// What is wrong with a field at the first place where it has no value in its path's range; "" where nothing is.
  std::string wrong(const formula::Number& field, const std::string& path) {
    for (int k = 0; k < count(); ++k) {
      const std::string message = wrongValue(field, at(k), path, name(k));
      if (!message.empty()) return message;
    }
    return wrongAtEnds(field, path);
  }
  /// That is a problem at `value`.
  void accept(LoadContext& context, const formula::Number& field, const text::Value& value, const std::string& path) {
    const std::string message = field.isField() ? wrong(field, path) : "";
    if (!message.empty()) context.problem(value, message);
  }

 protected:
  virtual std::string wrongAtEnds(const formula::Number&, const std::string&) { return {}; }
  ~FieldPlaces() = default;
};

/// Edge midpoints of a rod; none while it has no points.
class RodEdges final : public FieldPlaces {
 public:
  RodEdges(const LoadContext& context, const Rod& rod) : places_(context.scene, rod) {}
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

  /// Parameters as they are in another state of the scene.
  void see(const Scene& scene) { input_.parameters = scene.values.data(); }

  const formula::Input& along(double u) {
    input_.u = u;
    input_.s = u * length_;
    return input_;
  }

 protected:
  std::string wrongAtEnds(const formula::Number& field, const std::string& path) override {
    for (const double u : {0.0, 1.0}) {
      std::string message = wrongValue(field, along(u), "");
      if (!message.empty()) return message;
      const double end = field(input_);
      if (end == 0 && soft_ && !rangeOf(path)->holds(0))
        return "it is 0 at u = " + inWords(u) +
               ", and a soft body needs a section at its very ends too, where it is held, drawn and "
               "touched; expected a small one there, such as a hundredth of the largest";
      if (end != 0) message = wrongValue(field, input_, path, "u = " + inWords(u));
      if (!message.empty()) return message;
    }
    return {};
  }

 private:
  double length_;
  formula::Input input_;
  std::vector<double> places_;
  bool soft_ = false;
};

/// Reads the cross-section `value`, which stands at `path` ("rods.section"), and tries its fields.
void loadSection(LoadContext& context, const text::Value& value, const std::string& path, FieldPlaces& places,
                 Section& section);  // bodies/sections.cpp

}  // namespace tendril::scene
