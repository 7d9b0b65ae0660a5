// Runs with derivatives, and residuals of runs, for sensitivities.mjs. What can fail returns its value or a failure, as
// in bindings.cpp.
#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tendril/residuals.h"
#include "tendril/sensitivities.h"
#include "values.h"

namespace tendril {
namespace {

/// A run with derivatives as JavaScript holds it. `open` must have succeeded before anything else is asked.
class SensitivitiesHandle {
 public:
  val open(const std::string& sceneText, const val& names, const val& values, const val& with, const val& scaleNames,
           const val& scales) {
    return guarded([&] {
      run_ = std::make_unique<Sensitivities>(sceneText, valuesOf(names, values), textsOf(with),
                                             valuesOf(scaleNames, scales));
      return val(true);
    });
  }

  double time() const { return run_->run().time(); }
  double duration() const { return run_->run().duration(); }
  bool finished() const { return run_->run().finished(); }

  val info() const {
    return guarded([&] { return infoOf(run_->run()); });
  }

  val step() {
    return guarded([&] { return toVal(run_->step()); });
  }

  val advance(double seconds, double budget) {
    return guarded([&] {
      return toVal(advanced(
          run_->run(), [this] { return run_->step(); }, seconds, budget));
    });
  }

  val probeValues() {
    return guarded([&] {
      row_ = rowOf(run_->run());
      return viewOf(row_);
    });
  }

  val slopes(int parameter) {
    return guarded([&] {
      const std::span<const double> slopes = run_->slopes(static_cast<std::size_t>(parameter));
      row_.assign(slopes.begin(), slopes.end());
      return viewOf(row_);
    });
  }

  val doubts() const {
    return guarded([&] { return toVal(run_->findings()); });
  }

 private:
  std::unique_ptr<Sensitivities> run_;
  std::vector<double> row_;  ///< what probeValues() or slopes() last gave a view of
};

/// Residuals as JavaScript holds them. `open` must have succeeded before anything else is asked.
class ResidualsHandle {
 public:
  val open(const std::string& sceneText, const val& names, const val& values, const val& with, const val& scaleNames,
           const val& scales, const val& of, const val& data, const val& sigma) {
    return guarded([&] {
      RunResiduals::Setup setup;
      setup.set = valuesOf(names, values), setup.with = textsOf(with), setup.scales = valuesOf(scaleNames, scales);
      setup.of = textsOf(of), setup.data = numbersOf(data), setup.sigma = numbersOf(sigma);
      residuals_ = std::make_unique<RunResiduals>(sceneText, std::move(setup));
      return val(true);
    });
  }

  val with() const { return texts(residuals_->with()); }

  val of() const {
    return toArray(residuals_->of(), [](const ProbeAt& one) {
      val out = val::object();
      out.set("column", one.column);
      out.set("time", one.time);
      return out;
    });
  }

  val start() const { return copyOf(residuals_->start()); }

  val residual(const val& x) {
    return guarded([&] { return copyOf(residuals_->residual(numbersOf(x))); });
  }

  val jacobian(const val& x) {
    return guarded([&] { return copyOf(residuals_->jacobian(numbersOf(x))); });
  }

  val vjp(const val& x, const val& v) {
    return guarded([&] { return copyOf(residuals_->vjp(numbersOf(x), numbersOf(v))); });
  }

  val doubts() const { return toVal(residuals_->findings()); }

 private:
  std::unique_ptr<RunResiduals> residuals_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(sensitivities) {
  using namespace emscripten;
  class_<SensitivitiesHandle>("SensitivitiesHandle")
      .constructor<>()
      .function("open", &SensitivitiesHandle::open)
      .function("time", &SensitivitiesHandle::time)
      .function("duration", &SensitivitiesHandle::duration)
      .function("finished", &SensitivitiesHandle::finished)
      .function("info", &SensitivitiesHandle::info)
      .function("step", &SensitivitiesHandle::step)
      .function("advance", &SensitivitiesHandle::advance)
      .function("probeValues", &SensitivitiesHandle::probeValues)
      .function("slopes", &SensitivitiesHandle::slopes)
      .function("doubts", &SensitivitiesHandle::doubts);
  class_<ResidualsHandle>("ResidualsHandle")
      .constructor<>()
      .function("open", &ResidualsHandle::open)
      .function("with", &ResidualsHandle::with)
      .function("of", &ResidualsHandle::of)
      .function("start", &ResidualsHandle::start)
      .function("residual", &ResidualsHandle::residual)
      .function("jacobian", &ResidualsHandle::jacobian)
      .function("vjp", &ResidualsHandle::vjp)
      .function("doubts", &ResidualsHandle::doubts);
}

}  // namespace tendril
