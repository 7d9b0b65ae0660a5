// Parameters and series: every form in docs/reference.md, evaluated in an order in which each follows those that its
// formula reads, with overrides applied and cycles reported.
#include <algorithm>
#include <cmath>

#include "scene/format/keys.h"
#include "scene/resolve/passes.h"
#include "text/words.h"

namespace tendril::scene {

std::shared_ptr<const formula::Formula> compileAt(const text::Document& document, const text::Value& at,
                                                  const formula::Scope& scope, formula::Sight sight,
                                                  Problems& problems) {
  static const text::Bindings none;
  const Problem where = document.problem(at, "");
  const auto compiled = formula::compileFormula(at.string, scope, sight, at.bindings ? *at.bindings : none,
                                                {at.pointer, where.line, where.column});
  if (const auto* formula = std::get_if<std::shared_ptr<const formula::Formula>>(&compiled)) return *formula;
  const formula::Error& error = std::get<formula::Error>(compiled);
  problems.push_back(document.problem(at, error.message, error.at, error.length));
  return nullptr;
}

std::optional<double> evaluateConstant(const text::Document& document, const text::Value& at,
                                       const formula::Scope& scope, const std::vector<double>& values,
                                       Problems& problems, std::set<int>* used) {
  if (at.isNumber()) return at.number;
  const std::shared_ptr<const formula::Formula> formula = compileAt(document, at, scope, formula::Sight{}, problems);
  if (!formula) return std::nullopt;
  if (used) used->insert(formula->parametersUsed().begin(), formula->parametersUsed().end());
  formula::Input input;
  input.parameters = values.data();
  try {
    return formula->value(input);
  } catch (const formula::Failure&) {
    problems.push_back(
        document.problem(at, "the formula \"" + text::clipped(at.string, 200) + "\" gives no finite number"));
    return std::nullopt;
  }
}

namespace {

constexpr std::size_t deepestChain = 1000;  // the visit below is recursive

/// Parameters and series as nodes of one graph: 0 .. parameters-1, then the series.
class ParameterReader {
 public:
  ParameterReader(const text::Document& document, ResolvedScene& resolved, Problems& problems)
      : document_(document), resolved_(resolved), problems_(problems) {}

  void declare(const text::Value& root) {
    if (const text::Value* parameters = root.find("parameters"); parameters && parameters->isObject())
      for (const text::Member& member : parameters->members) declareParameter(member);
    if (const text::Value* series = root.find("series"); series && series->isObject())
      for (const text::Member& member : series->members) declareSeries(member);
    resolved_.values.assign(parameterValues_.size(), 0.0);
    resolved_.derived.assign(parameterValues_.size(), formula::Number(0.0));
    resolved_.structural.assign(parameterValues_.size(), false);
    state_.assign(parameterValues_.size() + series_.size(), State::open);
  }

  void apply(const text::Value& root, const std::map<std::string, double>& overrides) {
    for (const auto& [name, value] : overrides) {
      const auto found = resolved_.scope.parameters.find(name);
      text::Value where = root.find("parameters") ? *root.find("parameters") : text::Value{};
      where.span.end = std::min(where.span.end, where.span.begin + 1);
      if (found == resolved_.scope.parameters.end()) {
        std::vector<std::string> known;
        for (const auto& entry : resolved_.scope.parameters) known.push_back(entry.first);
        const std::string nearest = text::nearestName(name, known);
        problems_.push_back(document_.problem(
            where, "unknown parameter \"" + text::clipped(name) + "\" to set" +
                       (nearest.empty() ? known.empty() ? ": the scene has no parameters" : ": it has " + join(known)
                                        : ": did you mean \"" + nearest + "\"?")));
      } else if (!std::isfinite(value)) {
        problems_.push_back(document_.problem(where, notToBeSet(name, value)));
      } else {
        parameterValues_[std::size_t(found->second)] = nullptr;
        resolved_.values[std::size_t(found->second)] = value;
        resolved_.derived[std::size_t(found->second)] = formula::Number(value);
      }
    }
  }

  void evaluate() {
    compile();
    for (std::size_t node = 0; node < state_.size(); ++node) visit(node);
    for (std::size_t p = 0; p < resolved_.parameters.size(); ++p) finish(p);
  }

 private:
  enum class State { open, entered, done };

  static std::string join(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  /// The value of a parameter as written: a number or formula, or an object's "value"; null if it is neither.
  void declareParameter(const text::Member& member) {
    const text::Value* value = &member.value;
    const text::Value* object = value->isObject() ? value : nullptr;
    if (object) value = object->find("value");
    if (value && !value->isNumber() && !value->isFormula()) value = nullptr;  // reported by the structure check
    Parameter parameter;
    parameter.name = member.key;
    resolved_.scope.parameters[member.key] = int(resolved_.parameters.size());
    resolved_.parameters.push_back(std::move(parameter));
    parameterValues_.push_back(value);
    parameterObjects_.push_back(object);
  }

  void declareSeries(const text::Member& member) {
    if (!member.value.isObject()) return;
    auto series = std::make_shared<formula::Series>();
    for (const text::Member& column : member.value.members) {
      if (column.key == "interpolation")
        series->step = column.value.string == "step";
      else if (column.key != "time" && column.value.isArray())
        series->columns[column.key] = {};
    }
    resolved_.scope.series[member.key] = series;
    series_.push_back(series);
    seriesValues_.push_back(&member.value);
  }

  void compile() {
    formulas_.assign(parameterValues_.size(), nullptr);
    for (std::size_t p = 0; p < parameterValues_.size(); ++p)
      if (parameterValues_[p] && parameterValues_[p]->isFormula())
        formulas_[p] = compileAt(document_, *parameterValues_[p], resolved_.scope, formula::Sight{}, problems_);
  }

  std::vector<std::size_t> dependencies(const formula::Formula& formula) const {
    std::vector<std::size_t> nodes(formula.parametersUsed().begin(), formula.parametersUsed().end());
    for (const auto& used : formula.seriesUsed())
      for (std::size_t k = 0; k < series_.size(); ++k)
        if (series_[k] == used) nodes.push_back(parameterValues_.size() + k);
    return nodes;
  }

  void visit(std::size_t node) {
    if (state_[node] == State::done) return;
    if (state_[node] == State::entered) return cycle(node);
    if (path_.size() >= deepestChain) return tooDeep(node);
    state_[node] = State::entered;
    path_.push_back(node);
    if (node < parameterValues_.size())
      visitParameter(node);
    else
      visitSeries(node - parameterValues_.size());
    path_.pop_back();
    state_[node] = State::done;
  }

  void tooDeep(std::size_t node) {
    if (!cyclic_)
      problems_.push_back(document_.problem(
          *(node < parameterValues_.size() ? parameterValues_[node] : seriesValues_[node - parameterValues_.size()]),
          "parameters refer to each other more than " + std::to_string(deepestChain) + " deep"));
    cyclic_ = true;
  }

  void visitParameter(std::size_t p) {
    if (formulas_[p]) {
      for (const std::size_t needed : dependencies(*formulas_[p])) visit(needed);
      // A formula of constants only, "=pi/2", is a number like any other and may be set.
      const bool follows = !formulas_[p]->parametersUsed().empty() || !formulas_[p]->seriesUsed().empty();
      resolved_.parameters[p].derived = follows;
      formula::Input input;
      input.parameters = resolved_.values.data();
      try {
        resolved_.values[p] = formulas_[p]->value(input);
        resolved_.derived[p] = follows ? formula::Number(formulas_[p]) : formula::Number(resolved_.values[p]);
      } catch (const formula::Failure&) {
        // A cycle leaves values unset, and problems that follow from it would only be noise.
        if (!cyclic_)
          problems_.push_back(document_.problem(*parameterValues_[p],
                                                noFiniteParameter(resolved_.parameters[p].name, formulas_[p]->text())));
      }
    } else if (parameterValues_[p] && parameterValues_[p]->isNumber()) {
      resolved_.values[p] = parameterValues_[p]->number;
      resolved_.derived[p] = formula::Number(parameterValues_[p]->number);
    }
    resolved_.parameterOrder.push_back(int(p));
  }

  void visitSeries(std::size_t k) {
    formula::Series& series = *series_[k];
    const text::Value& value = *seriesValues_[k];
    const text::Value* time = value.find("time");
    if (time && time->isArray()) numbers(*time, series.time);
    for (auto& [name, column] : series.columns) numbers(*value.find(name), column);
    for (std::size_t row = 1; row < series.time.size(); ++row)
      if (series.time[row] <= series.time[row - 1]) {
        problems_.push_back(
            document_.problem(time->items[row], "times must increase: " + text::formatNumber(series.time[row]) +
                                                    " follows " + text::formatNumber(series.time[row - 1])));
        break;
      }
    if (time && time->isArray() && series.time.empty())
      problems_.push_back(document_.problem(*time, "a series needs at least one time"));
    const bool onlyTime = std::all_of(value.members.begin(), value.members.end(), [](const text::Member& member) {
      return member.key == "time" || member.key == "interpolation";
    });
    if (onlyTime)
      problems_.push_back(document_.problem(value, "a series needs a column, a list with one number per time"));
    for (const auto& [name, column] : series.columns)
      if (time && column.size() != series.time.size())
        problems_.push_back(document_.problem(
            *value.find(name), "the column " + name + " has " + std::to_string(column.size()) +
                                   " numbers, but there are " + std::to_string(series.time.size()) + " times"));
  }

  /// A list of constants; other entries count as 0 and are reported by the structure check.
  void numbers(const text::Value& list, std::vector<double>& out) {
    std::vector<std::shared_ptr<const formula::Formula>> formulas(list.items.size());
    for (std::size_t k = 0; k < list.items.size(); ++k)
      if (list.items[k].isFormula() &&
          (formulas[k] = compileAt(document_, list.items[k], resolved_.scope, formula::Sight{}, problems_)))
        for (const std::size_t needed : dependencies(*formulas[k])) visit(needed);
    out.clear();
    for (const text::Value& item : list.items) {
      const bool readable =
          item.isNumber() || (item.isFormula() && formulas[std::size_t(&item - list.items.data())] && !cyclic_);
      out.push_back(
          readable ? evaluateConstant(document_, item, resolved_.scope, resolved_.values, problems_).value_or(0) : 0);
    }
  }

  std::string nameOf(std::size_t node) const {
    if (node < parameterValues_.size()) return resolved_.parameters[node].name;
    for (const auto& [name, series] : resolved_.scope.series)
      if (series == series_[node - parameterValues_.size()]) return name;
    return {};
  }

  void cycle(std::size_t node) {
    cyclic_ = true;
    std::string text;
    for (auto at = std::find(path_.begin(), path_.end(), node); at != path_.end(); ++at) text += nameOf(*at) + " -> ";
    const bool parameter = node < parameterValues_.size() && parameterValues_[node];
    problems_.push_back(
        document_.problem(parameter ? *parameterValues_[node] : *seriesValues_[node - parameterValues_.size()],
                          "these values depend on each other in a cycle: " + text + nameOf(node)));
  }

  /// min, max, step, unit, label, choices, once all values are known.
  void finish(std::size_t p) {
    if (!parameterObjects_[p]) return;
    const text::Value& object = *parameterObjects_[p];
    Parameter& parameter = resolved_.parameters[p];
    const auto constant = [&](std::string_view key) -> std::optional<double> {
      const text::Value* at = object.find(key);
      if (!at || (!at->isNumber() && !at->isFormula()) || cyclic_) return std::nullopt;
      return evaluateConstant(document_, *at, resolved_.scope, resolved_.values, problems_);
    };
    parameter.min = constant("min");
    parameter.max = constant("max");
    parameter.step = constant("step");
    if (const text::Value* unit = object.find("unit")) parameter.unit = unit->string;
    if (const text::Value* label = object.find("label")) parameter.label = label->string;
    if (const text::Value* scale = object.find("scale")) parameter.logarithmic = scale->string == "log";
    if (parameter.min && parameter.max && !(*parameter.min < *parameter.max))
      problems_.push_back(
          document_.problem(*object.find("max"), "max must be greater than min, " + text::formatNumber(*parameter.min) +
                                                     ", but it is " + text::formatNumber(*parameter.max)));
    if (parameter.logarithmic && parameter.min && *parameter.min <= 0)
      problems_.push_back(document_.problem(
          *object.find("min"),
          "a logarithmic scale needs a min greater than 0, but it is " + text::formatNumber(*parameter.min)));
    if (const text::Value* choices = object.find("choices")) menu(*choices, parameter);
  }

  void menu(const text::Value& choices, Parameter& parameter) {
    const auto add = [&](const text::Value& at, const std::string& label) {
      if ((!at.isNumber() && !at.isFormula()) || cyclic_) return;
      const auto value = evaluateConstant(document_, at, resolved_.scope, resolved_.values, problems_);
      if (value) parameter.choices.emplace_back(label.empty() ? text::formatNumber(*value) : label, *value);
    };
    for (const text::Value& item : choices.items) add(item, "");
    for (const text::Member& member : choices.members) add(member.value, member.key);
  }

  const text::Document& document_;
  ResolvedScene& resolved_;
  Problems& problems_;
  std::vector<const text::Value*> parameterValues_, parameterObjects_, seriesValues_;
  std::vector<std::shared_ptr<formula::Series>> series_;
  std::vector<std::shared_ptr<const formula::Formula>> formulas_;
  std::vector<State> state_;
  std::vector<std::size_t> path_;
  bool cyclic_ = false;
};

}  // namespace

std::string noFiniteParameter(const std::string& name, const std::string& formula) {
  return "the parameter " + name + " has no finite value: \"" + formula + "\"";
}

std::string notToBeSet(const std::string& name, double value) {
  return "the parameter " + name + " cannot be set to " + text::formatNumber(value) + ": it must be a finite number";
}

void readParameters(const text::Document& document, const text::Value& root,
                    const std::map<std::string, double>& overrides, ResolvedScene& resolved, Problems& problems) {
  ParameterReader reader(document, resolved, problems);
  reader.declare(root);
  reader.apply(root, overrides);
  reader.evaluate();
}

}  // namespace tendril::scene
