#include "fit/objective_reader.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "formula/compile/lexer.h"
#include "formula/formula.h"
#include "text/words.h"

namespace tendril::fit {

namespace {

using formula::nextFormulaToken;
using formula::Token;
using text::formatNumber;

constexpr double sameTime = 1e-9;  // share of a step
constexpr double mostTimes = 1e6;
constexpr std::size_t mostAlways = 200;  // rows of the search's steps

struct Statistic {
  const char* name;
  ProbeTerm::Kind kind;
};
constexpr Statistic statistics[] = {{"max", ProbeTerm::Kind::max},
                                    {"min", ProbeTerm::Kind::min},
                                    {"mean", ProbeTerm::Kind::mean},
                                    {"integral", ProbeTerm::Kind::integral}};

const Statistic* statisticOf(const Token& token) {
  for (const Statistic& one : statistics)
    if (token.kind == Token::Kind::name && token.text == one.name) return &one;
  return nullptr;
}

bool isSymbol(const Token& token, std::string_view symbol) {
  return token.kind == Token::Kind::symbol && token.text == symbol;
}

class ObjectiveReader {
 public:
  ObjectiveReader(PlanText& plan, const std::vector<ParameterInfo>& parameters, const Simulation& run, Plan& out)
      : plan_(plan), parameters_(parameters), run_(run), out_(out) {
    objective_.values.resize(Eigen::Index(parameters.size()));
    for (const ParameterInfo& info : parameters) {
      objective_.values[Eigen::Index(objective_.parameters.size())] = info.value;
      if (!info.derived) scope_.parameters[info.name] = int(objective_.parameters.size());
      objective_.parameters.push_back(info.name);
    }
  }

  void read(const text::Value& root) {
    readGoal(*root.find("minimize"), objective_.minimize);
    if (const text::Value* subject = root.find("subject")) readSubject(*subject);
    if (!plan_.problems.empty()) return;
    if (objective_.terms.empty())
      return plan_.problem(*root.find("minimize"),
                           "none of the formulas depends on a run; name a probe and a time, such as tip.z@end");
    collectTimes();
    out_.objective = std::move(objective_);
  }

 private:
  /// A formula, or {"formula": ..., "unit": ..., "name": ...}.
  void readGoal(const text::Value& value, Goal& goal) {
    if (!value.isObject()) return readFormula(value, goal);
    if (plan_.object(value, {"formula", "unit", "name"})) readParts(value, goal);
  }

  void readParts(const text::Value& value, Goal& goal) {
    goal.unit = plan_.string(value, "unit").value_or("");
    const text::Value* formula = value.find("formula");
    if (!formula) return plan_.problem(value, "\"formula\" is missing, such as \"tip.z@end\"");
    readFormula(*formula, goal);
    if (const auto name = plan_.string(value, "name")) goal.name = *name;
  }

  void readSubject(const text::Value& list) {
    if (!list.isArray())
      return plan_.problem(list, "expected a list of constraints, such as [{\"formula\": \"tip.z@end\", \"min\": 0}]");
    for (const text::Value& item : list.items) {
      if (!plan_.object(item, {"formula", "unit", "name", "min", "max", "equals", "always"})) continue;
      Constraint constraint;
      const auto min = plan_.number(item, "min"), max = plan_.number(item, "max"),
                 equals = plan_.number(item, "equals");
      const bool both = item.find("equals") && (item.find("min") || item.find("max"));
      if (both || !(item.find("equals") || item.find("min") || item.find("max")))
        plan_.problem(item, "expected \"max\", \"min\" or both, or \"equals\" alone");
      if (min && max && *min >= *max)
        plan_.problem(item, "min " + formatNumber(*min) + " is not below max " + formatNumber(*max) +
                                "; exchange them, or give \"equals\"");
      if (min) constraint.min = *min;
      if (max) constraint.max = *max;
      if (equals) constraint.min = constraint.max = *equals;
      const text::Value* always = item.find("always");
      if (always && always->kind != text::Value::Kind::boolean)
        plan_.problem(*always, "expected true: the constraint holds after every step, of dt; or false");
      if (always && always->boolean) {
        readAlways(item, constraint);
      } else {
        readParts(item, constraint);
        objective_.subject.push_back(std::move(constraint));
      }
    }
  }

  /// A constraint for the end of every step.
  void readAlways(const text::Value& item, const Constraint& like) {
    const std::vector<double> times = stepTimes();
    if (times.size() > mostAlways + 1)
      return plan_.problem(item, "the run has " + std::to_string(times.size() - 1) + " steps; \"always\" takes up to " +
                                     std::to_string(mostAlways) + ": give probes the times that matter, as tip.z@0.5");
    const std::size_t before = plan_.problems.size();
    for (std::size_t k = 1; k < times.size() && plan_.problems.size() == before; ++k) {
      Constraint one = like;
      one.always = true;
      everywhere_ = times[k];
      readParts(item, one);
      one.name += " @ " + formatNumber(times[k]) + " s";
      objective_.subject.push_back(std::move(one));
    }
    everywhere_.reset();
  }

  /// Multiples of dt from 0 on, and the end of the run.
  std::vector<double> stepTimes() const {
    const double dt = run_.stepSize(), count = std::ceil(run_.duration() / dt - sameTime);
    std::vector<double> out;
    const bool even = std::abs(count * dt - run_.duration()) <= sameTime * dt;
    for (double k = 0; k < std::min(count, mostTimes); ++k)
      out.push_back(even ? run_.duration() * (k / count) : k * dt);
    out.push_back(run_.duration());
    return out;
  }

  void readFormula(const text::Value& value, Goal& goal) {
    if (!value.isString()) return plan_.problem(value, "expected a formula in quotes, such as \"tip.z@end\"");
    goal.text = value.string.substr(
        value.string.find_first_not_of(" =") == std::string::npos ? 0 : value.string.find_first_not_of(" ="));
    goal.name = goal.text;
    const auto plain = withoutTerms(value, goal.text);
    if (!plain) return;
    const auto compiled = formula::compileFormula(*plain, scope_, sight(), {}, locationOf(value));
    if (const auto* error = std::get_if<formula::Error>(&compiled))
      return plan_.problem(value, withTerms(error->message));
    goal.formula = std::get<std::shared_ptr<const formula::Formula>>(compiled);
  }

  static formula::Sight sight() {
    formula::Sight out;
    out.columns = true;
    return out;
  }

  formula::Location locationOf(const text::Value& value) const {
    const Problem at = plan_.document().problem(value, "");
    return {at.pointer, at.line, at.column};
  }

  /// The formula with a plain name in place of each term, or nothing where one is wrong.
  std::optional<std::string> withoutTerms(const text::Value& value, const std::string& text) {
    std::string out;
    std::size_t done = 0;
    for (Token token = nextFormulaToken(text, 0); token.kind != Token::Kind::end;) {
      if (token.kind == Token::Kind::error && !(token.at < text.size() && text[token.at] == '@')) break;
      std::size_t end = token.at + token.length;
      if (token.kind == Token::Kind::name) {
        const auto term = termAt(value, text, token, end);
        if (!term) return std::nullopt;
        if (!term->empty()) out += text.substr(done, token.at - done) + *term, done = end;
      } else if (token.kind == Token::Kind::error) {
        plan_.problem(value, "\"@\" follows the column of a probe, such as tip.z@end");
        return std::nullopt;
      }
      token = nextFormulaToken(text, end);
    }
    return out + text.substr(done);
  }

  /// The plain name of the term that begins with this token and ends before `end`; empty where none does; nothing where
  /// it is wrong.
  std::optional<std::string> termAt(const text::Value& value, const std::string& text, const Token& token,
                                    std::size_t& end) {
    const std::string name(token.text);
    const Token next = nextFormulaToken(text, end);
    if (next.at < text.size() && text[next.at] == '@') return readAt(value, text, name, token.at, next.at + 1, end);
    const Statistic* statistic = statisticOf(token);
    if (statistic && isSymbol(next, "(")) {
      const Token column = nextFormulaToken(text, next.at + next.length);
      const Token close = nextFormulaToken(text, column.at + column.length);
      if (column.kind == Token::Kind::name && isSymbol(close, ")")) {
        end = close.at + 1;
        return term(value, text.substr(token.at, end - token.at), std::string(column.text), statistic->kind, 0);
      }
      const bool numbers = statistic->kind == ProbeTerm::Kind::max || statistic->kind == ProbeTerm::Kind::min;
      if (!numbers) return problem(value, name + "() takes the column of a probe alone, as in " + name + "(tip.z)");
      return "";
    }
    if (everywhere_ && columnOf(name) >= 0)
      return term(value, name + "@" + formatNumber(*everywhere_), name, ProbeTerm::Kind::at, *everywhere_);
    if (columnOf(name) >= 0)
      return problem(value,
                     name + " is a probe; say of when, as " + name + "@end, " + name + "@0.5 [s] or max(" + name + ")");
    for (const ParameterInfo& info : parameters_)
      if (info.derived && info.name == name)
        return problem(value, name + " is a formula of other parameters; write these instead");
    return "";
  }

  std::optional<std::string> readAt(const text::Value& value, const std::string& text, const std::string& name,
                                    std::size_t begin, std::size_t at, std::size_t& end) {
    const Token when = nextFormulaToken(text, at);
    end = when.at + when.length;
    double time = run_.duration();
    if (when.kind == Token::Kind::number)
      time = when.number;
    else if (when.kind != Token::Kind::name || when.text != "end")
      return problem(value, "after " + name + "@ comes a time in seconds, or end");
    if (time > run_.duration() * (1 + 1e-12))
      return problem(value,
                     name + "@" + formatNumber(time) + ": the run ends at " + formatNumber(run_.duration()) + " s");
    return term(value, text.substr(begin, end - begin), name, ProbeTerm::Kind::at, time);
  }

  std::optional<std::string> term(const text::Value& value, const std::string& words, const std::string& column,
                                  ProbeTerm::Kind kind, double time) {
    const int index = columnOf(column);
    if (index < 0) {
      plan_.unknownName(value, "column of a probe", column, run_.columns());
      return std::nullopt;
    }
    for (std::size_t k = 0; k < objective_.terms.size(); ++k) {
      const ProbeTerm& known = objective_.terms[k];
      if (known.column == index && known.kind == kind && known.time == time) return names_[k];
    }
    std::string name = "term" + std::to_string(names_.size());
    while (scope_.parameters.count(name)) name += "_";
    scope_.columns[name] = int(names_.size());
    names_.push_back(name);
    objective_.terms.push_back({words, index, kind, time});
    return name;
  }

  std::optional<std::string> problem(const text::Value& value, const std::string& message) {
    plan_.problem(value, message);
    return std::nullopt;
  }

  int columnOf(const std::string& name) const {
    const auto& columns = run_.columns();
    const auto found = std::find(columns.begin(), columns.end(), name);
    return found == columns.end() ? -1 : int(found - columns.begin());
  }

  /// A message of the compiler, with terms as they were written; the last first, as term10 begins with term1.
  std::string withTerms(std::string message) const {
    for (std::size_t k = names_.size(); k-- > 0;)
      for (std::size_t at = 0; (at = message.find(names_[k], at)) != std::string::npos;) {
        message.replace(at, names_[k].size(), objective_.terms[k].text);
        at += objective_.terms[k].text.size();
      }
    return message;
  }

  void collectTimes() {
    bool whole = false;
    for (const ProbeTerm& term : objective_.terms) {
      whole = whole || term.kind != ProbeTerm::Kind::at;
      if (term.kind == ProbeTerm::Kind::at) objective_.times.push_back(term.time);
      objective_.columns.push_back(term.column);
    }
    if (whole) objective_.grid = stepTimes();
    auto& times = objective_.times;
    times.insert(times.end(), objective_.grid.begin(), objective_.grid.end());
    sortOnce(times), sortOnce(objective_.columns);
  }

  template <class Value>
  static void sortOnce(std::vector<Value>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  PlanText& plan_;
  const std::vector<ParameterInfo>& parameters_;
  const Simulation& run_;
  Plan& out_;
  Objective objective_;
  formula::Scope scope_;
  std::vector<std::string> names_;    ///< plain names of the terms
  std::optional<double> everywhere_;  ///< [s] when probes without a time are meant
};

/// What belongs to measurements alone.
bool refuseData(PlanText& plan, const text::Value& root, const Plan& out) {
  bool refused = false;
  for (const char* key : {"experiments", "hold", "loss", "sequential"}) {
    const text::Value* value = root.find(key);
    if (!value) continue;
    plan.problem(*value, std::string("\"") + key + "\" is of measurements; a plan has these, or \"minimize\"");
    refused = true;
  }
  for (const Unknown& unknown : out.unknowns) {
    if (!unknown.prior) continue;
    plan.problem(*root.find("unknowns"),
                 "the prior of " + unknown.name + " is weighed against data; a plan has these, or \"minimize\"");
    refused = true;
  }
  return refused;
}

}  // namespace

void readObjective(PlanText& plan, const text::Value& root, const std::vector<ParameterInfo>& parameters, Plan& out) {
  if (!root.find("minimize"))
    return plan.problem(*root.find("subject"), "\"subject\" limits what \"minimize\" asks for, which is missing");
  if (refuseData(plan, root, out)) return;
  std::map<std::string, double> values;
  for (const Unknown& unknown : out.unknowns) values[unknown.name] = unknown.start;
  try {
    const Simulation run(out.sceneText, values);
    ObjectiveReader(plan, parameters, run, out).read(root);
  } catch (const BadScene& bad) {
    plan.problem(*root.find("unknowns"),
                 "the scene does not load with these starts: " + describe(bad.problems.front(), out.sceneName));
  }
}

}  // namespace tendril::fit
