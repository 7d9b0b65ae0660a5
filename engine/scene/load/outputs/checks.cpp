// Checks of a scene: when each is decided, what it expects, and the parameters of its own run.
#include <algorithm>

#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

// A run with other parameters may end at another time.
void readDuring(LoadContext& context, const text::Value& value, bool thisRun, Check& check) {
  if (!value.isArray() || value.items.size() != 2) {
    context.problem(value, "expected two times [t0, t1]");
    return;
  }
  check.during.from = context.constantOf(value.items[0]).value_or(0);
  check.during.until = context.constantOf(value.items[1]).value_or(check.during.from);
  if (check.during.until < check.during.from) context.problem(value, "expected [t0, t1] with t0 before t1");
  const double end = context.scene.solver.duration, reach = 1e-9 * end;
  if (check.during.until < 0) {
    context.problem(value, "the window ends at " + inWords(check.during.until) + " s, and the run begins at 0 s");
  } else if (thisRun && check.during.from > end + reach) {
    context.problem(
        value, "the window begins at " + inWords(check.during.from) + " s, and the run ends at " + inWords(end) + " s");
  } else if (thisRun && check.during.until > end + reach) {
    context.warn(value, "the window ends at " + inWords(check.during.until) + " s, and the run at " + inWords(end) +
                            " s: the check looks no farther");
  }
}

void readWith(LoadContext& context, const text::Value& value, Check& check) {
  std::vector<std::string> known;
  for (const Parameter& parameter : context.scene.parameters) known.push_back(parameter.name);
  for (const text::Member& member : value.members) {
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      context.problemAtKey(member, member.value, unknownName("parameter", member.key, known));
    if (const auto number = context.constantOf(member.value)) check.with[member.key] = *number;
  }
}

void readWhen(LoadContext& context, const text::Value& item, Check& check) {
  const text::Value* at = item.find("at");
  const text::Value* during = item.find("during");
  if (at && at->isString() && !at->isFormula()) {
    if (at->string == "end")
      check.when = Check::When::end;
    else if (at->string == "always")
      check.when = Check::When::always;
    else if (at->string == "ever")
      check.when = Check::When::ever;
    else
      context.problem(*at, "expected a time, \"end\", \"always\" or \"ever\"");
  } else if (at) {
    check.when = Check::When::time;
    const auto time = context.constantOf(*at, "checks.at");
    check.time = time.value_or(0);
    if (time && *time < 0)
      context.problem(*at, "the check is at " + inWords(*time) + " s; expected a time of at least 0");
    const double end = context.scene.solver.duration;
    if (time && !item.find("with") && check.time > end * (1 + 1e-9))
      context.problem(*at, "the check is at " + inWords(check.time) + " s, and the run ends at " + inWords(end) + " s");
  }
  const bool overTime = check.when == Check::When::always || check.when == Check::When::ever;
  if (during && !overTime)
    context.problem(*during, "\"during\" goes with \"at\": \"always\" or \"ever\"");
  else if (during)
    readDuring(context, *during, !item.find("with"), check);
}

}  // namespace

void loadChecks(LoadContext& context) {
  int number = 0;
  for (const text::Value& item : itemsOf(context, "checks")) {
    ++number;
    Check check;
    check.pointer = item.pointer;
    check.title = context.textAt(item, "title");
    const text::Value* expect = item.find("expect");
    if (!expect)
      context.problem(item, "\"expect\" is missing; expected a formula such as \"tip.z < 0\"");
    else
      check.expect = context.formula(*expect, context.observed(), Use::live, &check.usesColumns);
    if (check.title.empty())
      check.title = expect && expect->isString() ? expect->string : "check " + std::to_string(number);
    readWhen(context, item, check);
    check.points = context.constantAt(item, "checks", "points");
    if (const text::Value* with = item.find("with")) readWith(context, *with, check);
    context.scene.checks.push_back(std::move(check));
  }
}

}  // namespace tendril::scene
