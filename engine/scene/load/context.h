// What every part of the loader shares: the document, the scene being built, the list of problems, and the reading of
// numbers, vectors, rotations and intervals. Inner header of the loader; nothing outside scene/load*.cpp includes it.
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

/// Whether a parameter that stands in a value acts while the scene runs, or only through a restart.
enum class Use { live, restart };

/// What is wrong with a number where it is evaluated with `input`: not finite, or out of the range of its path of the key
/// table ("": none). `where`: a place to name, or "".
std::string wrongValue(const formula::Number& number, const formula::Input& input, std::string_view path, const std::string& where = "");

/// Shortest decimal that reads well in a message (6 digits).
std::string inWords(double value);

class LoadContext {
 public:
  static constexpr std::size_t mostProblems = 1000;  ///< and as many warnings; what comes later is not listed

  LoadContext(const text::Document& document, const ResolvedScene& resolved, Scene& scene, text::Problems& problems);

  const text::Document& document;
  const text::Value& root;
  Scene& scene;
  formula::Scope scope;                             ///< parameters, series, probe columns, states
  bool dynamic = true;                     ///< feedback is seen by timed values in dynamic runs only
  std::map<std::string, int> bodyNames;    ///< number of each rod and shell, as in NodeRef
  std::map<std::string, int> linkageNames;  ///< index of each into Scene::linkages
  std::map<std::string, int> vineNames;     ///< index of each into Scene::vines
  std::map<std::string, int> obstacleNames;  ///< index of each into Scene::obstacles
  bool obstaclesUsable = true;             ///< false: the shape of some obstacle is not known
  bool bodiesUsable = true;                ///< false: some body has no points, so selectors stay silent

  /// Past a thousand problems no more are kept: a scene with a fault in every copy must not take minutes to refuse.
  void problem(const text::Value& at, const std::string& message);
  /// A static run would leave where it is what `velocity` (or null) is to move.
  void refuseVelocity(const text::Value* velocity);
  void problemAtKey(const text::Member& member, const text::Value& object, const std::string& message);
  void warn(const text::Value& at, const std::string& message);
  std::size_t problemCount() const { return problems_.size(); }  ///< to see whether a part was sound

  /// What a formula at a path of the key table sees here: no probes nor states in static runs.
  formula::Sight sightAt(std::string_view path) const;
  /// t, probes and states, also in static runs: checks, probe formulas, rates.
  formula::Sight observed() const;

  /// A literal, or a formula compiled with what its path of the key table ("rods.section.circle.radius") may see. Where
  /// it is neither timed nor a field it is evaluated and must be in the path's range.
  formula::Number number(const text::Value& value, std::string_view path, Use use);
  /// A text that is a formula with or without "=". `columnsUsed`: gets the columns that it sees.
  formula::Number formula(const text::Value& value, formula::Sight sight, Use use, std::vector<int>* columnsUsed = nullptr);
  /// A literal or formula of parameters, evaluated now (its parameters restart the run) and checked against the path's
  /// range; a path of "" accepts every finite number. Nothing where it is wrong.
  std::optional<double> constantOf(const text::Value& value, std::string_view path = {});
  /// constantOf for the member `key` of `object`, which stands at `path`.key; its default where it is missing or wrong.
  double constantAt(const text::Value& object, std::string_view path, std::string_view key);
  /// constantOf for a member that must be there: a problem at `object` where it is not.
  std::optional<double> neededAt(const text::Value& object, std::string_view path, std::string_view key);
  bool flagAt(const text::Value& object, std::string_view key, bool fallback) const;
  std::string textAt(const text::Value& object, std::string_view key) const;

  /// Evaluates with the parameters as they are; a value that is not finite is a problem at `at`.
  std::optional<double> evaluate(const formula::Number& number, const formula::Input& input, const text::Value& at);
  /// Input with the parameters filled in and zeros elsewhere.
  formula::Input input() const { return parametersOf(scene); }

  /// What is wrong with values of a scene, "" where nothing is. It may keep numbers, but sees no more of this context.
  using Wrong = std::function<std::string(const Scene&)>;
  /// What `wrong` says now is a problem at `at`, and false. Where one of `numbers`, which are live, sees a parameter it is
  /// asked again when that changes (Scene::liveRules).
  bool require(const text::Value& at, const std::vector<formula::Number>& numbers, const Wrong& wrong);
  /// Only asked again; `place`: of the problem, with what the place adds to a message.
  void requireLater(const text::Problem& place, const std::vector<formula::Number>& numbers, const Wrong& wrong);

  Number3 vector(const text::Value& value, std::string_view path, Use use);
  std::optional<Vec3> point(const text::Value& value);
  std::optional<Vec3> direction(const text::Value& value, std::string_view name);  ///< not zero, its norm finite; not normalized
  Rotation rotation(const text::Value& value, std::string_view path, Use use);
  /// A rotation that does not change in time, as a matrix. Nothing where it is wrong.
  std::optional<Mat3> orientation(const text::Value& value, std::string_view path);
  Interval interval(const text::Value& object);

  /// A problem at the key where a body of another kind has this name already.
  void claimName(const text::Member& member, const text::Value& holder);

  /// Whether values of parameters and of those they depend on may have changed only by a restart, or live.
  void markUse(int parameter, Use use);
  bool usedLive(int parameter) const { return usedLive_[std::size_t(parameter)]; }
  bool usedForRestart(int parameter) const { return usedForRestart_[std::size_t(parameter)]; }

 private:
  void noteFeedback(const std::shared_ptr<const formula::Formula>& formula);
  bool inRange(double value, const text::Value& at, std::string_view path);

  text::Problems& problems_;
  std::vector<bool> usedLive_, usedForRestart_;
};

/// `unknown rod "lag"; did you mean "leg"?`, or a list of what there is.
std::string unknownName(std::string_view kind, std::string_view name, const std::vector<std::string>& known);

/// "leg, arm, ...": the first eight.
std::string listed(const std::vector<std::string>& names);

}  // namespace tendril::scene
