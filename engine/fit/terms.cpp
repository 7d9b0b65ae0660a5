#include "fit/terms.h"

#include "text/words.h"

namespace tendril::fit {

const Unknown* unknownOf(const Plan& plan, const std::string& name) {
  for (const Unknown& unknown : plan.unknowns)
    if (unknown.name == name) return &unknown;
  return nullptr;
}

Term readTerm(PlanText& text, const text::Value& value, const std::string& what, const Plan& plan) {
  Term term;
  if (!value.isString()) {
    term.value = text.number(value).value_or(0);
    return term;
  }
  const std::string& name = value.string;
  std::vector<std::string> names;
  for (std::size_t u = 0; u < plan.unknowns.size(); ++u) {
    if (plan.unknowns[u].ofScene) continue;
    names.push_back(plan.unknowns[u].name);
    if (names.back() == name) term.unknown = int(u);
  }
  if (term.unknown >= 0) return term;
  if (unknownOf(plan, name))
    text.problem(value, "\"" + name + "\" is a parameter of the scene; expected a name of its own for the " + what);
  else if (names.empty())
    text.problem(value, "\"" + text::clipped(name) +
                            "\" is not among the unknowns; give it bounds there, or a "
                            "number here");
  else
    text.unknownName(value, "unknown", name, names);
  return term;
}

}  // namespace tendril::fit
