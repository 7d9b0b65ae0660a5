// The entry point of the scene language: parses, resolves, reads every section into the typed Scene, and returns either
// the scene or all problems in the order of the text.
#include "scene/load/load.h"

#include <algorithm>
#include <exception>
#include <set>
#include <tuple>

#include "geometry/sort_rows.h"
#include "scene/load/topics.h"
#include "scene/resolve/resolve.h"
#include "text/document.h"
#include "text/words.h"

namespace tendril::scene {
namespace {

constexpr int mostPerPosition = 10;  // copies made by `repeat` share their location

void readSections(LoadContext& context) {
  Scene& scene = context.scene;
  scene.title = context.textAt(context.root, "title");
  scene.description = context.textAt(context.root, "description");
  loadSolverMode(context);  // whether timed values see probes
  declareColumns(context);  // the names that they see
  loadMaterials(context);
  loadRods(context);
  loadShells(context);
  loadLinkages(context);
  loadVines(context);
  loadObstacles(context);
  loadContact(context);
  if (scene.bodyCount() == 0 && scene.linkages.empty() && scene.vines.empty()) {
    context.bodiesUsable = false;
    context.problem(
        context.root,
        "the scene has no bodies; expected at least one in \"rods\", \"shells\", \"linkages\" or \"vines\"");
  }
  loadJoints(context);
  loadSprings(context);
  loadConstraints(context);
  loadLoads(context);
  loadEnvironment(context);
  loadActuation(context);
  loadSolver(context);
  checkContact(context);
  checkVines(context);
  loadStates(context);
  loadInitial(context);
  loadProbes(context);
  loadChecks(context);
  loadView(context);
}

/// The first `parts` parts of a JSON pointer: "/rods/arm" from "/rods/arm/section/circle".
std::string head(const std::string& pointer, int parts) {
  std::size_t end = 0;
  for (int part = 0; part < parts && end != std::string::npos; ++part) end = pointer.find('/', end + 1);
  return pointer.substr(0, end);
}

/// Whether other sections can still be read: nothing is wrong in what they refer to.
bool restIsReadable(const Problems& structural) {
  const std::set<std::string> referredTo = {"", "/parameters", "/series", "/defaults", "/probes", "/states", "/solver"};
  return std::none_of(structural.begin(), structural.end(), [&referredTo](const Problem& problem) {
    return referredTo.count(head(problem.pointer, 1)) || problem.pointer.find("/repeat") != std::string::npos;
  });
}

/// The problems of the structure, and those of other checks in objects whose structure is valid.
Problems merged(Problems structural, const Problems& others) {
  std::set<std::string> broken;
  for (const Problem& problem : structural) broken.insert(head(problem.pointer, 2));
  for (const Problem& problem : others) {
    const std::string object = head(problem.pointer, 2);
    const bool inObject = object.find('/', 1) != std::string::npos;
    if (inObject && !broken.count(object)) structural.push_back(problem);
  }
  return structural;
}

/// A list of .json files may include the schema too.
bool isSchema(const text::Value& root) {
  const text::Value* schema = root.find("$schema");
  return schema && schema->isString() && schema->string.find("json-schema.org/") != std::string::npos &&
         !root.find("format");
}

std::variant<Scene, Problems> load(std::string_view text, const LoadOptions& options) {
  auto parsed = text::Document::parse(std::string(text));
  if (auto* problems = std::get_if<Problems>(&parsed)) return inOrder(std::move(*problems));
  const text::Document& document = std::get<text::Document>(parsed);
  if (isSchema(document.root()))
    return Problems{
        document.problem(document.root(), "this is a JSON Schema, which describes scenes, not a scene: leave it out")};
  Problems structural, problems;
  const ResolvedScene resolved = resolveScene(document, options.overrides, structural);
  if (!structural.empty() && !restIsReadable(structural)) return inOrder(std::move(structural));
  Scene scene;
  scene.parameters = resolved.parameters;
  scene.values = resolved.values;
  scene.derived = resolved.derived;
  LoadContext context(document, resolved, scene, problems);
  readSections(context);
  if (!structural.empty()) return inOrder(merged(std::move(structural), problems));
  if (!problems.empty()) return inOrder(std::move(problems));
  findLiveParameters(context, resolved);
  addWarnings(context);
  scene.warnings = inOrder(std::move(scene.warnings));
  scene.source = text::SourceMap(document);
  return scene;
}

}  // namespace

Problems inOrder(Problems problems) {
  const auto key = [](const Problem& p) { return std::tie(p.from, p.to, p.message); };
  geometry::sortRows(
      problems, [](const Problem& a, const Problem& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  Problems kept;
  int countHere = 0;
  for (Problem& problem : problems) {
    const bool samePosition = !kept.empty() && kept.back().from == problem.from && kept.back().to == problem.to;
    if (samePosition && key(kept.back()) == key(problem)) continue;
    countHere = samePosition ? countHere + 1 : 0;
    if (countHere < mostPerPosition) kept.push_back(std::move(problem));
  }
  // Later ones were not listed.
  if (problems.size() >= LoadContext::mostProblems) kept.back().message += text::andMoreProblems;
  return kept;
}

const std::vector<text::Member>& membersOf(const LoadContext& context, std::string_view section) {
  static const std::vector<text::Member> none;
  const text::Value* value = context.root.find(section);
  return value ? value->members : none;
}

const std::vector<text::Value>& itemsOf(const LoadContext& context, std::string_view section) {
  static const std::vector<text::Value> none;
  const text::Value* value = context.root.find(section);
  return value ? value->items : none;
}

std::variant<Scene, Problems> loadScene(std::string_view text, const LoadOptions& options) {
  Problem problem;
  try {
    return load(text, options);
  } catch (const std::bad_alloc&) {
    problem.message = tooLargeForMemory;
  } catch (const std::exception& error) {
    problem.message = std::string("the scene cannot be loaded: ") + error.what();
  }
  return Problems{problem};
}

}  // namespace tendril::scene
