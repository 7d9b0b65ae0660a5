// Sample points of fields along a body, tried when a scene loads: the midpoints of a rod's edges, or points along a
// link. Internal to the loader.
#pragma once

#include <string>

#include "scene/load/bodies/rod_samples.h"
#include "scene/load/context.h"

namespace tendril::scene {

class FieldSamples {
 public:
  virtual int count() const = 0;
  virtual const formula::Input& at(int sample) = 0;
  virtual std::string name(int sample) const = 0;  ///< "edge 3"

  /// The problem of a field at the first sample where it has no value in its path's range; "" if there is none.
  std::string wrong(const formula::Number& field, const std::string& path) {
    for (int k = 0; k < count(); ++k) {
      std::string message = wrongValue(field, at(k), path, name(k));
      if (!message.empty()) return message;
    }
    return wrongAtEnds(field, path);
  }
  /// Adds that problem at `value`.
  void accept(LoadContext& context, const formula::Number& field, const text::Value& value, const std::string& path) {
    const std::string message = field.isField() ? wrong(field, path) : "";
    if (!message.empty()) context.problem(value, message);
  }

 protected:
  virtual std::string wrongAtEnds(const formula::Number&, const std::string&) { return {}; }
  ~FieldSamples() = default;
};

/// Edge midpoints of a rod; none while it has no points.
class RodEdges final : public FieldSamples {
 public:
  RodEdges(const LoadContext& context, const Rod& rod) : samples_(context.scene, rod) {}
  int count() const override { return samples_.edges(); }
  const formula::Input& at(int edge) override { return samples_.atEdge(edge); }
  std::string name(int edge) const override { return "edge " + std::to_string(edge); }

 private:
  RodSamples samples_;
};

/// The midpoints of fifty parts of a length, and its ends, where the taper of a rigid body may come to a point; for a
/// soft body also its quadrature points. Only s and u are known.
class LinkSamples final : public FieldSamples {
 public:
  LinkSamples(const LoadContext& context, double length) : length_(length), input_(context.input()) {
    for (int k = 0; k < 50; ++k) samples_.push_back((k + 0.5) / 50);
  }
  /// For a soft body: `points` are those of its quadrature, u from 0 to 1.
  LinkSamples(const LoadContext& context, double length, const std::vector<double>& points)
      : LinkSamples(context, length) {
    soft_ = true;
    samples_.insert(samples_.end(), points.begin(), points.end());
  }
  int count() const override { return int(samples_.size()); }
  const formula::Input& at(int sample) override { return along(samples_[std::size_t(sample)]); }
  std::string name(int sample) const override { return "u = " + inWords(samples_[std::size_t(sample)]); }

  /// Takes the parameters from another state of the scene.
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
               ", and a soft body needs a section at its very ends too, where it is supported, drawn and "
               "touched; expected a small one there, such as a hundredth of the largest";
      if (end != 0) message = wrongValue(field, input_, path, "u = " + inWords(u));
      if (!message.empty()) return message;
    }
    return {};
  }

 private:
  double length_;
  formula::Input input_;
  std::vector<double> samples_;
  bool soft_ = false;
};

/// Reads the cross-section `value`, located at `path` ("rods.section"), and tries its fields.
void loadSection(LoadContext& context, const text::Value& value, const std::string& path, FieldSamples& samples,
                 Section& section);  // bodies/sections.cpp

}  // namespace tendril::scene
