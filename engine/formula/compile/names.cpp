// Resolves the names in a formula: reserved quantities, repeat names, probes, parameters, constants, functions and
// series, in the order in which they hide each other. An unknown name is reported with the nearest known one.
#include <algorithm>

#include "formula/compile/compiler.h"
#include "tendril/problem.h"
#include "text/words.h"

namespace tendril::formula {

namespace {

struct Reserved {
  std::string_view name;
  Op op;
};
constexpr Reserved reservedNames[] = {{"t", Op::t}, {"s", Op::s}, {"u", Op::u}, {"x", Op::x},
                                      {"y", Op::y}, {"z", Op::z}, {"i", Op::i}, {"n", Op::n}};

/// Names of a Place, by index; tangent and normal share theirs.
constexpr std::string_view placeNames[] = {"x",  "y", "z", "tx", "ty", "tz", "vx", "vy",
                                           "vz", "X", "Y", "Z",  "nx", "ny", "nz"};

std::string quoted(std::string_view text) { return "\"" + text::clipped(text) + "\""; }

}  // namespace

bool Compiler::parseName(const Token& name, int depth) {
  if (atSymbol("(")) return parseCall(name, depth);
  for (const Reserved& reserved : reservedNames)
    if (reserved.name == name.text) return loadReserved(name);
  const std::string key(name.text);
  const int place = placeNamed(name.text);
  const auto hides = [&] {
    if (place >= 0 && sight_.place) formula_->hidden_.push_back(key);
  };
  if (const auto bound = bindings_.find(key); bound != bindings_.end()) {
    hides();
    return load(Op::constant, 0, bound->second);
  }
  const auto column = scope_.columns.find(key);
  if (sight_.columns && column != scope_.columns.end()) {
    hides();
    formula_->timed_ = true;
    use(formula_->columnsUsed_, column->second);
    return load(Op::column, column->second, 0);
  }
  if (const auto parameter = scope_.parameters.find(key); parameter != scope_.parameters.end()) {
    hides();
    use(formula_->parametersUsed_, parameter->second);
    return load(Op::parameter, parameter->second, 0);
  }
  if (place >= 0 && sight_.place) return loadPlace(place);
  if (name.text == "pi") return load(Op::constant, 0, 3.14159265358979323846);
  if (name.text == "e") return load(Op::constant, 0, 2.71828182845904523536);
  if (column != scope_.columns.end())
    return failAt(name, sight_.timed
                            ? key + " is a probe: formulas see probes in dynamic runs only"
                            : key +
                                  " is not known here: probes are seen by timed values only, and this value is "
                                  "read once, before the run");
  return unknownName(name);
}

int Compiler::placeNamed(std::string_view name) const {
  const auto found = std::find(std::begin(placeNames), std::end(placeNames), name);
  return found == std::end(placeNames) ? -1 : static_cast<int>(found - std::begin(placeNames));
}

bool Compiler::loadPlace(int index) {
  PlaceUse& sees = formula_->place_;
  const bool isNormal = index >= Place::count;
  const int at = isNormal ? index - Place::count + Place::direction : index;
  if (at < Place::direction)
    sees.present = true;
  else if (at < Place::velocity)
    (isNormal ? sees.normal : sees.tangent) = true;
  else
    (at < Place::initial ? sees.velocity : sees.initial) = true;
  formula_->field_ = true;
  return load(Op::place, at, 0);
}

bool Compiler::loadReserved(const Token& name) {
  const std::string text(name.text);
  const Op op = std::find_if(std::begin(reservedNames), std::end(reservedNames), [&](const Reserved& r) {
                  return r.name == name.text;
                })->op;
  if (op == Op::t) {
    if (!sight_.timed) return failAt(name, "t is not known here: this value is read once, before the run");
    formula_->timed_ = true;
    return load(op, 0, 0);
  }
  const bool position = op == Op::x || op == Op::y || op == Op::z;
  if (sight_.place && position) return loadPlace(placeNamed(name.text));
  const bool seen = sight_.field || sight_.place || (position && sight_.position) || (op == Op::u && sight_.along) ||
                    ((op == Op::s || op == Op::u) && sight_.link);
  if (!seen) {
    if (sight_.along) return failAt(name, text + " is not known here: a curve is a formula of only u, from 0 to 1");
    if (sight_.link) return failAt(name, text + " is not known here: along a link only s and u are");
    if (sight_.position) return failAt(name, text + " is not known here: this body has the position x y z only");
    return failAt(name, text + " is not known here: this value is one number, not a field along the body");
  }
  formula_->field_ = true;
  formula_->arcLength_ = formula_->arcLength_ || op == Op::s || op == Op::u;
  return load(op, 0, 0);
}

bool Compiler::parseCall(const Token& name, int depth) {
  advance();
  if (const Function* function = findFormulaFunction(name.text)) return parseFunctionCall(*function, name, depth);
  return parseSeriesCall(name, depth);
}

bool Compiler::parseSeriesCall(const Token& name, int depth) {
  const std::size_t dot = name.text.find('.');
  const std::string seriesName(name.text.substr(0, dot));
  const auto found = scope_.series.find(seriesName);
  if (found == scope_.series.end()) return unknownFunction(name);
  const Series& series = *found->second;
  const std::string columnName(dot == std::string_view::npos ? "value" : name.text.substr(dot + 1));
  const auto column = series.columns.find(columnName);
  if (column == series.columns.end()) {
    std::string known;
    for (const auto& entry : series.columns)
      known +=
          (known.empty() ? "" : ", ") + (entry.first == "value" ? seriesName : seriesName + "." + entry.first) + "(t)";
    return failAt(name,
                  dot == std::string_view::npos
                      ? "the series " + seriesName + " has no column called value: name a column, " + known
                      : "the series " + seriesName + " has no column " + quoted(columnName) + ": it has " + known);
  }
  if (atSymbol(")")) return failAt(name, "a series takes 1 argument, the time: " + std::string(name.text) + "(t)");
  if (!parse(0, depth + 1)) return false;
  if (atSymbol(",")) return failAt(name, "a series takes 1 argument, the time: " + std::string(name.text) + "(t)");
  if (!expect(")", "to close " + std::string(name.text) + "(")) return false;
  formula_->seriesColumns_.push_back({&series, &column->second});
  auto& used = formula_->seriesUsed_;
  if (std::find(used.begin(), used.end(), found->second) == used.end()) used.push_back(found->second);
  formula_->code_.push_back(
      {static_cast<std::uint16_t>(Op::series), 1, static_cast<std::int32_t>(formula_->seriesColumns_.size()) - 1, 0});
  return true;
}

bool Compiler::unknownName(const Token& name) {
  const std::string key(name.text);
  if (const Function* function = findFormulaFunction(name.text))
    return failAt(name, key + " is a function: write " + std::string(function->usage));
  if (scope_.series.count(key.substr(0, key.find('.'))))
    return failAt(name, key.substr(0, key.find('.')) + " is a series, a function of time: write " + key + "(t)");
  std::vector<std::string> known = {"pi", "e"};
  if (sight_.timed) known.push_back("t");
  if (sight_.field) known.insert(known.end(), {"s", "u", "x", "y", "z", "i", "n"});
  if (sight_.link) known.insert(known.end(), {"s", "u"});
  if (sight_.place) {
    known.insert(known.end(), {"s", "u", "i", "n"});
    known.insert(known.end(), std::begin(placeNames), std::end(placeNames));
  } else if (placeNamed(key) >= 0) {
    return failAt(name, key + " is not known here: loads alone see the point that they act on");
  }
  for (const auto& entry : scope_.parameters) known.push_back(entry.first);
  for (const auto& entry : bindings_) known.push_back(entry.first);
  if (sight_.columns)
    for (const auto& entry : scope_.columns) known.push_back(entry.first);
  const std::string nearest = text::nearestName(key, known);
  std::string message = "unknown name " + quoted(key);
  if (!nearest.empty())
    message += ": did you mean " + quoted(nearest) + "?";
  else if (sight_.columns && scope_.columns.lower_bound(key + ".") != scope_.columns.end() &&
           scope_.columns.lower_bound(key + ".")->first.compare(0, key.size() + 1, key + ".") == 0)
    message += ": this probe has several columns, such as " + quoted(scope_.columns.lower_bound(key + ".")->first);
  else
    message += ": no parameter, probe or constant has this name";
  return failAt(name, message);
}

bool Compiler::unknownFunction(const Token& name) {
  const std::string key(name.text);
  if (scope_.parameters.count(key) || scope_.columns.count(key) || bindings_.count(key))
    return failAt(name, key + " is a number, not a function: write " + key + "*(...) to multiply");
  std::vector<std::string> known;
  for (const Function& function : formulaFunctions()) known.emplace_back(function.name);
  for (const auto& entry : scope_.series)
    for (const auto& column : entry.second->columns)
      known.push_back(column.first == "value" ? entry.first : entry.first + "." + column.first);
  const std::string nearest = text::nearestName(key, known);
  return failAt(name, "unknown function " + quoted(key) +
                          (nearest.empty() ? ": no function or series has this name"
                                           : ": did you mean " + quoted(nearest) + "?"));
}

}  // namespace tendril::formula
