// Shared by all parts of the loader: the document, the scene being built, the list of problems, and the reading of
// numbers, vectors, rotations and intervals. Internal to engine/scene/load.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "formula/formula.h"
#include "scene/format/keys.h"
#include "scene/resolve/resolve.h"
#include "scene/scene.h"
#include "text/document.h"

namespace tendril::scene {

/// Whether a parameter in a value acts during a run, or only after a restart.
enum class Use { live, restart };

/// The problem of a number evaluated with `input`: not finite, or outside the range of its path in the key table ("":
/// no range). `where`: a position to name, or "".
std::string wrongValue(const formula::Number& number, const formula::Input& input, std::string_view path,
                       const std::string& where = "");

/// Shortest decimal that reads well in a message (6 digits).
std::string inWords(double value);

class LoadContext {
 public:
  static constexpr std::size_t mostProblems = 1000;  ///< and as many warnings; later ones are not listed

  LoadContext(const text::Document& document, const ResolvedScene& resolved, Scene& scene, Problems& problems);

  const text::Document& document;
  const text::Value& root;
  Scene& scene;
  formula::Scope scope;                      ///< parameters, series, probe columns, states
  bool dynamic = true;                       ///< timed values see feedback in dynamic runs only
  std::map<std::string, int> bodyNames;      ///< number of each rod and shell, as in NodeRef
  std::map<std::string, int> linkageNames;   ///< index of each into Scene::linkages
  std::map<std::string, int> vineNames;      ///< index of each into Scene::vines
  std::map<std::string, int> obstacleNames;  ///< index of each into Scene::obstacles
  bool obstaclesUsable = true;               ///< false: the shape of some obstacle is not known
  bool bodiesUsable = true;                  ///< false: some body has no points, so selectors stay silent

  /// Adds a problem, at most a thousand: a scene with a fault in every copy must not take minutes to refuse.
  void problem(const text::Value& at, const std::string& message);
  /// Refuses `velocity` (or null) in a static run, which would not move it.
  void refuseVelocity(const text::Value* velocity);
  void problemAtKey(const text::Member& member, const text::Value& object, const std::string& message);
  void warn(const text::Value& at, const std::string& message);
  std::size_t problemCount() const { return problems_.size(); }  ///< to see whether a part was valid

  /// What a formula at a path of the key table sees here: no probes or states in static runs.
  formula::Sight sightAt(std::string_view path) const;
  /// t, probes and states, also in static runs: checks, probe formulas, rates.
  formula::Sight observed() const;

  /// A literal, or a formula compiled with what its path of the key table ("rods.section.circle.radius") may see. If it
  /// is neither timed nor a field, it is evaluated and must be in the path's range.
  formula::Number number(const text::Value& value, std::string_view path, Use use);
  /// A text that is a formula with or without "=". `columnsUsed` gets the columns that it sees.
  formula::Number formula(const text::Value& value, formula::Sight sight, Use use,
                          std::vector<int>* columnsUsed = nullptr);
  /// A literal or formula of parameters, evaluated now (its parameters restart the run) and checked against the path's
  /// range; a path of "" accepts every finite number. Empty if it is wrong.
  std::optional<double> constantOf(const text::Value& value, std::string_view path = {});
  /// constantOf for the member `key` of `object`, located at `path`.key; its default if it is missing or wrong.
  double constantAt(const text::Value& object, std::string_view path, std::string_view key);
  /// constantOf for a required member: a problem at `object` if it is missing.
  std::optional<double> neededAt(const text::Value& object, std::string_view path, std::string_view key);
  bool flagAt(const text::Value& object, std::string_view key, bool fallback) const;
  std::string textAt(const text::Value& object, std::string_view key) const;

  /// Evaluates with the current parameters; a value that is not finite is a problem at `at`.
  std::optional<double> evaluate(const formula::Number& number, const formula::Input& input, const text::Value& at);
  /// Input with the parameters filled in and zeros elsewhere.
  formula::Input input() const { return parametersOf(scene); }

  /// What is wrong with a scene's values, or "". It may keep numbers, but sees nothing else of this context.
  using Wrong = std::function<std::string(const Scene&)>;
  /// Reports the result of `wrong` as a problem at `at`, and returns false. Where one of the live `numbers` sees a
  /// parameter, it is checked again when that changes (Scene::liveRules).
  bool require(const text::Value& at, const std::vector<formula::Number>& numbers, const Wrong& wrong);
  /// Checks only later; `source` is the location, with the text that it adds to a message.
  void requireLater(const Problem& source, const std::vector<formula::Number>& numbers, const Wrong& wrong);

  Number3 vector(const text::Value& value, std::string_view path, Use use);
  std::optional<Vec3> point(const text::Value& value);
  std::optional<Vec3> direction(const text::Value& value,
                                std::string_view name);  ///< nonzero with a finite norm; not normalized
  Rotation rotation(const text::Value& value, std::string_view path, Use use);
  /// A rotation that is constant in time, as a matrix. Empty if it is wrong.
  std::optional<Mat3> orientation(const text::Value& value, std::string_view path);
  Interval interval(const text::Value& object);

  /// Adds a problem at the key where a body of another kind already has this name.
  void claimName(const text::Member& member, const text::Value& holder);

  /// Marks the parameter, and those that it depends on, as live or as requiring a restart.
  void markUse(int parameter, Use use);
  bool usedLive(int parameter) const { return usedLive_[std::size_t(parameter)]; }
  bool usedForRestart(int parameter) const { return usedForRestart_[std::size_t(parameter)]; }

 private:
  void noteFeedback(const std::shared_ptr<const formula::Formula>& formula);
  bool inRange(double value, const text::Value& at, std::string_view path);

  Problems& problems_;
  std::vector<bool> usedLive_, usedForRestart_;
};

/// `unknown rod "lag"; did you mean "leg"?`, or a list of the known names.
std::string unknownName(std::string_view kind, std::string_view name, const std::vector<std::string>& known);

/// "leg, arm, ...": the first eight.
std::string listed(const std::vector<std::string>& names);

}  // namespace tendril::scene
