// Command line words to typed options: a table defines what a command accepts, and also prints its help. Unknown
// options are refused with the nearest known one.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tendril::cli {

/// An invalid call or unreadable input: exit code 2, before anything ran.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct OptionSpec {
  std::string name;         ///< "--set"
  std::string placeholder;  ///< "k=v"; empty: a flag
  std::string help;
  bool repeatable = false;
};

/// The words of one call: operands in order, options by name.
class Arguments {
 public:
  bool has(const std::string& option) const { return options_.count(option) > 0; }
  /// The value, or nothing if the option was not given.
  std::optional<std::string> text(const std::string& option) const;
  /// The same, but not empty. Throws UsageError.
  std::optional<std::string> fileName(const std::string& option) const;
  /// Every value of an option that may be repeated.
  std::vector<std::string> texts(const std::string& option) const;
  /// What its values list, separated by commas.
  std::vector<std::string> list(const std::string& option) const;
  /// A finite decimal number. Throws UsageError.
  std::optional<double> number(const std::string& option) const;
  /// The same, greater than zero.
  std::optional<double> positiveNumber(const std::string& option) const;
  /// Every `--set name=number`; the last one of a name wins. Throws UsageError.
  std::map<std::string, double> assignments(const std::string& option) const;
  const std::vector<std::string>& operands() const { return operands_; }

 private:
  friend struct CommandSpec;
  std::map<std::string, std::vector<std::string>> options_;
  std::vector<std::string> operands_;
};

struct CommandSpec {
  std::string name;
  std::string operand;   ///< "SCENE"; empty: none
  bool several = false;  ///< one operand or more; otherwise exactly one
  std::string summary;   ///< one line, for the list of commands
  std::string details;   ///< further lines of its own help
  std::vector<OptionSpec> options;
  int (*run)(const Arguments&) = nullptr;

  /// "tendril run SCENE".
  std::string call() const;
  std::string help() const;
  /// Throws UsageError. `--name value` and `--name=value` are the same; after `--` every word is an operand.
  Arguments parse(const std::vector<std::string>& words) const;
};

/// Digits with an optional exponent, finite, with nothing around them (no hexadecimal, no "inf").
std::optional<double> parseNumber(std::string_view text);

}  // namespace tendril::cli
