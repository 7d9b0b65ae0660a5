// The door of the scene language: parses, resolves, reads every section into the typed Scene, and returns either the
// scene or all problems in the order of the text.
#include "scene/load.h"

#include <algorithm>
#include <exception>
#include <tuple>

#include "scene/document.h"
#include "scene/load_topics.h"
#include "scene/resolve.h"

namespace tendril {
namespace {

constexpr int mostAtOnePlace = 10;  // copies made by `repeat` share their place

/// By place; of equal ones the first; of one place no more than a few.
Problems inOrder(Problems problems) {
  const auto key = [](const Problem& p) { return std::tie(p.from, p.to, p.message); };
  std::stable_sort(problems.begin(), problems.end(), [&key](const Problem& a, const Problem& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  Problems kept;
  int atThisPlace = 0;
  for (Problem& problem : problems) {
    const bool samePlace = !kept.empty() && kept.back().from == problem.from && kept.back().to == problem.to;
    if (samePlace && key(kept.back()) == key(problem)) continue;
    atThisPlace = samePlace ? atThisPlace + 1 : 0;
    if (atThisPlace < mostAtOnePlace) kept.push_back(std::move(problem));
  }
  return kept;
}

void readSections(LoadContext& context) {
  Scene& scene = context.scene;
  scene.title = context.textAt(context.root, "title");
  scene.description = context.textAt(context.root, "description");
  loadSolverMode(context);   // whether timed values see probes
  declareColumns(context);   // the names that they see
  loadMaterials(context);
  loadRods(context);
  if (scene.rods.empty()) context.problem(context.root, "the scene has no rods; expected at least one in \"rods\"");
  loadJoints(context);
  loadConstraints(context);
  loadLoads(context);
  loadEnvironment(context);
  loadActuation(context);
  loadSolver(context);
  loadStates(context);
  loadInitial(context);
  loadProbes(context);
  loadChecks(context);
  loadView(context);
}

std::variant<Scene, Problems> load(std::string_view text, const LoadOptions& options) {
  auto parsed = Document::parse(std::string(text));
  if (auto* problems = std::get_if<Problems>(&parsed)) return inOrder(std::move(*problems));
  const Document& document = std::get<Document>(parsed);
  Problems problems;
  const ResolvedScene resolved = resolveScene(document, options.overrides, problems);
  if (!problems.empty()) return inOrder(std::move(problems));
  Scene scene;
  scene.parameters = resolved.parameters;
  scene.values = resolved.values;
  scene.derived = resolved.derived;
  LoadContext context(document, resolved, scene, problems);
  readSections(context);
  if (!problems.empty()) return inOrder(std::move(problems));
  findLiveParameters(context, resolved);
  addWarnings(context);
  scene.warnings = inOrder(std::move(scene.warnings));
  return scene;
}

}  // namespace

bool checkName(LoadContext& context, const Member& member, std::string_view kind, bool seenByFormulas) {
  const std::string& name = member.key;
  const bool good = isName(name);
  const bool reserved = seenByFormulas && isReservedName(name);
  if (!good)
    context.problemAtKey(member, member.value, "\"" + name + "\" is not a name for a " + std::string(kind) +
                                                   "; expected letters, digits and _, not beginning with a digit");
  if (reserved)
    context.problemAtKey(member, member.value, "\"" + name + "\" is reserved in formulas (t s u x y z i n); expected "
                                               "another name for this " + std::string(kind));
  return good && !reserved;
}

const std::vector<Member>& membersOf(const LoadContext& context, std::string_view section) {
  static const std::vector<Member> none;
  const Value* value = context.root.find(section);
  return value ? value->members : none;
}

const std::vector<Value>& itemsOf(const LoadContext& context, std::string_view section) {
  static const std::vector<Value> none;
  const Value* value = context.root.find(section);
  return value ? value->items : none;
}

std::variant<Scene, Problems> loadScene(std::string_view text, const LoadOptions& options) {
  Problem problem;
  try {
    return load(text, options);
  } catch (const std::bad_alloc&) {
    problem.message = "the scene is too large for the memory of this machine";
  } catch (const std::exception& error) {
    problem.message = std::string("the scene cannot be loaded: ") + error.what();
  }
  return Problems{problem};
}

}  // namespace tendril
