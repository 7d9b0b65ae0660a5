// CLI11 reads a command's words and prints its help. It is heavy, so this file alone includes it.
#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

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
  auto given = text(option);
  if (given && given->empty()) throw UsageError(option + " needs the name of a file");
  return given;
}

std::vector<std::string> Arguments::texts(const std::string& option) const {
  const auto found = options_.find(option);
  return found == options_.end() ? std::vector<std::string>() : found->second;
}

std::vector<std::string> Arguments::list(const std::string& option) const {
  std::vector<std::string> out;
  for (const std::string& text : texts(option)) {
    std::size_t from = 0;
    while (from <= text.size()) {
      const std::size_t to = std::min(text.find(',', from), text.size());
      if (to > from) out.push_back(text.substr(from, to - from));
      from = to + 1;
    }
  }
  return out;
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

[[noreturn]] void refuseTwoValues(const std::string& option, const std::string& name) {
  throw UsageError(option + " gives \"" + name + "\" two values; expected one");
}

}  // namespace

std::map<std::string, double> Arguments::assignments(const std::string& option) const {
  std::map<std::string, double> result;
  const auto found = options_.find(option);
  if (found == options_.end()) return result;
  for (const std::string& word : found->second) {
    const auto [name, value] = assignment(option, word);
    const auto [set, isNew] = result.emplace(name, value);
    if (!isNew && set->second != value) refuseTwoValues(option, name);
  }
  return result;
}

namespace {

/// CLI11 takes the word after "--out=" for its value, "--json=true" for "--json" and, in newer versions, "[[aa]]" for
/// "[a]". A value or operand with an end that no command line can contain stays as it is.
constexpr char endOfWord = '\0';

/// As CLI11 takes them: the last one first.
std::vector<std::string> reversedWords(std::vector<std::string> words) {
  for (std::string& word : words)
    if (!word.starts_with('-') || word.find('=') != std::string::npos) word += endOfWord;
  std::reverse(words.begin(), words.end());
  return words;
}

std::string withoutEnd(std::string word) {
  if (!word.empty() && word.back() == endOfWord) word.pop_back();
  return word;
}

/// Operands are what is left, so that a word such as -5 is an unknown option rather than one of them.
void declare(CLI::App& app, const std::vector<OptionSpec>& options) {
  app.set_help_flag();
  app.allow_extras();
  for (const OptionSpec& option : options) {
    CLI::Option* added = option.placeholder.empty() ? app.add_flag(option.name) : app.add_option(option.name);
    added->type_name(option.placeholder)->description(option.help)->take_all();
  }
}

[[noreturn]] void refuseUnknown(const std::string& word, const std::vector<OptionSpec>& options) {
  const std::string name = word.substr(0, word.find('='));
  if (name == "--help" || name == "-h") throw UsageError(name + " takes no value");  // a plain one is main()'s
  std::vector<std::string> known = {"--help"};
  for (const OptionSpec& option : options) known.push_back(option.name);
  const std::string nearest = text::nearestName(name, known);
  throw UsageError("unknown option \"" + name + "\"" + (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
}

}  // namespace

std::string CommandSpec::call() const {
  return "tendril " + name + (operand.empty() ? "" : " " + operand + (several ? "..." : ""));
}

std::string CommandSpec::help() const {
  CLI::App app(summary, call());
  declare(app, options);
  app.get_formatter()->column_width(22);
  std::string text = app.help();
  while (text.ends_with("\n\n")) text.pop_back();  // some versions end with an empty line
  return text + (details.empty() ? "" : "\n" + details);
}

Arguments CommandSpec::parse(const std::vector<std::string>& words) const {
  CLI::App app;
  declare(app, options);
  try {
    app.parse(reversedWords(words));
  } catch (const CLI::ArgumentMismatch&) {  // the words end where a value is due
    const std::string& option = words.back();
    throw UsageError(option + " needs a value: " + option + " " + app.get_option(option)->get_type_name());
  }
  Arguments result;
  bool onlyOperands = false;
  for (const std::string& word : app.remaining()) {
    if (onlyOperands || word.size() < 2 || word[0] != '-')
      result.operands_.push_back(withoutEnd(word));
    else if (word == "--")
      onlyOperands = true;
    else
      refuseUnknown(word, options);
  }
  for (const OptionSpec& option : options) {
    const std::vector<std::string>& values = app.get_option(option.name)->results();
    if (values.empty()) continue;
    if (option.placeholder.empty() && values[0] != "true") throw UsageError(option.name + " takes no value");
    if (values.size() > 1 && !option.repeatable) throw UsageError(option.name + " is given twice");
    std::transform(values.begin(), values.end(), std::back_inserter(result.options_[option.name]), withoutEnd);
  }
  if (operand.empty() && !result.operands_.empty())
    throw UsageError("takes no operand, but \"" + result.operands_[0] + "\" was given");
  if (!operand.empty() && result.operands_.empty()) throw UsageError("needs a " + operand + ": " + call());
  for (std::size_t i = 0; i < result.operands_.size(); ++i) {
    if (!result.operands_[i].empty()) continue;
    const std::string number = several ? " " + std::to_string(i + 1) : "";
    throw UsageError(operand + number + " is empty: it needs the name of a file, or - for standard input");
  }
  if (!operand.empty() && !several && result.operands_.size() > 1)
    throw UsageError("takes one " + operand + ", but " + std::to_string(result.operands_.size()) + " were given");
  return result;
}

}  // namespace tendril::cli
