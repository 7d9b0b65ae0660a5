// Parses one command's words against its table and prints its help.
#include "cli/arguments.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "text/words.h"

namespace tendril::cli {

std::optional<double> parseNumber(std::string_view text) {
  const std::string copy(text);
  if (copy.empty() || copy.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::string> Arguments::text(const std::string& option) const {
  const auto found = options_.find(option);
  if (found == options_.end()) return std::nullopt;
  return found->second.back();
}

std::optional<std::string> Arguments::fileName(const std::string& option) const {
  const auto given = text(option);
  if (given && given->empty()) throw UsageError(option + " needs the name of a file");
  return given;
}

std::vector<std::string> Arguments::texts(const std::string& option) const {
  const auto found = options_.find(option);
  return found == options_.end() ? std::vector<std::string>() : found->second;
}

std::optional<double> Arguments::number(const std::string& option) const {
  const auto given = text(option);
  if (!given) return std::nullopt;
  const auto value = parseNumber(*given);
  if (!value) throw UsageError(option + " takes a finite number, not \"" + *given + "\"");
  return value;
}

std::optional<double> Arguments::positiveNumber(const std::string& option) const {
  const auto value = number(option);
  if (value && !(*value > 0)) throw UsageError(option + " takes a number greater than 0, not " + *text(option));
  return value;
}

namespace {

/// Splits "k=v".
std::pair<std::string, double> assignment(const std::string& option, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(option + " takes name=number, such as " + option + " E=2e6, not \"" + word + "\"");
  const auto value = parseNumber(std::string_view(word).substr(equals + 1));
  if (!value) throw UsageError(option + " " + word + ": \"" + word.substr(equals + 1) + "\" is not a finite number");
  return {word.substr(0, equals), *value};
}

}  // namespace

std::map<std::string, double> Arguments::assignments(const std::string& option) const {
  std::map<std::string, double> result;
  const auto found = options_.find(option);
  if (found == options_.end()) return result;
  for (const std::string& word : found->second) {
    const auto [name, value] = assignment(option, word);
    const auto [set, isNew] = result.emplace(name, value);
    if (!isNew && set->second != value) throw UsageError(option + " gives \"" + name + "\" two values; expected one");
  }
  return result;
}

std::string CommandSpec::synopsis() const {
  std::string line = "tendril " + name;
  if (!operand.empty()) line += " " + operand + (several ? "..." : "");
  if (!options.empty()) line += " [options]";
  return line;
}

std::string CommandSpec::help() const {
  std::string text = "Usage: " + synopsis() + "\n\n" + summary + "\n";
  if (!details.empty()) text += "\n" + details;
  if (options.empty()) return text;
  std::size_t width = 0;
  const auto left = [](const OptionSpec& o) { return o.name + (o.placeholder.empty() ? "" : " " + o.placeholder); };
  for (const OptionSpec& option : options) width = std::max(width, left(option).size());
  text += "\nOptions:\n";
  for (const OptionSpec& option : options) {
    const std::string head = left(option);
    text += "  " + head + std::string(width + 2 - head.size(), ' ') + option.help + "\n";
  }
  return text;
}

namespace {

const OptionSpec& findOption(const std::vector<OptionSpec>& options, const std::string& name) {
  std::vector<std::string> known = {"--help"};
  for (const OptionSpec& option : options) {
    if (option.name == name) return option;
    known.push_back(option.name);
  }
  std::string message = "unknown option \"" + name + "\"";
  const std::string nearest = text::nearestName(name, known);
  if (!nearest.empty()) message += "; did you mean " + nearest + "?";
  throw UsageError(message);
}

}  // namespace

Arguments CommandSpec::parse(const std::vector<std::string>& words) const {
  Arguments result;
  bool onlyOperands = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!onlyOperands && word == "--") {
      onlyOperands = true;
      continue;
    }
    if (onlyOperands || word.size() < 2 || word[0] != '-') {
      result.operands_.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const OptionSpec& option = findOption(options, word.substr(0, equals));
    std::string value;
    if (option.placeholder.empty()) {
      if (equals != std::string::npos) throw UsageError(option.name + " takes no value");
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (i + 1 < words.size()) {
      value = words[++i];
    } else {
      throw UsageError(option.name + " needs a value: " + option.name + " " + option.placeholder);
    }
    std::vector<std::string>& values = result.options_[option.name];
    if (!values.empty() && !option.repeatable) throw UsageError(option.name + " is given twice");
    values.push_back(value);
  }
  if (operand.empty() && !result.operands_.empty())
    throw UsageError("takes no operand, but \"" + result.operands_[0] + "\" was given");
  if (!operand.empty() && result.operands_.empty()) throw UsageError("needs a " + operand + ": " + synopsis());
  if (!operand.empty() && !several && result.operands_.size() > 1)
    throw UsageError("takes one " + operand + ", but " + std::to_string(result.operands_.size()) + " were given");
  return result;
}

}  // namespace tendril::cli
