// Formatting only: what ran and what it means is decided in cli/check.
#include "cli/check_report.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/numbers.h"
#include "cli/scene_input.h"
#include "cli/summary.h"

namespace tendril::cli {

using Json = nlohmann::ordered_json;

CheckTotals totals(const std::vector<SceneChecks>& scenes) {
  CheckTotals sum;
  for (const SceneChecks& scene : scenes) {
    for (const CheckLine& line : scene.lines) {
      (line.result.passed ? sum.passed : sum.failed) += 1;
      sum.possible += line.result.points;
      if (line.result.passed) sum.points += line.result.points;
    }
  }
  // JSON has no infinite numbers.
  for (double* value : {&sum.points, &sum.possible}) *value = std::min(*value, std::numeric_limits<double>::max());
  return sum;
}

namespace {

std::string pointsText(double points) {
  return " (" + humanNumber(points, 12) + (points == 1 ? " point)" : " points)");
}

/// "at t = 1 s: tip.z = -0.03", or why the check was not decided.
std::string failureText(const CheckLine& line) {
  std::string text = line.reason;
  if (text.empty()) {
    text = "at t = " + humanNumber(line.result.at, 9) + " s";
    if (!line.result.values.empty()) text += ": " + valuesText(line.result.values);
    if (!line.result.reason.empty()) text += "; " + line.result.reason;
  }
  return text;
}

std::string titleText(const CheckLine& line) {
  return line.result.title + (line.with.empty() ? "" : " [" + valuesText(line.with) + "]");
}

Json numbersJson(const std::map<std::string, double>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = value;
  return object;
}

}  // namespace

std::string checkText(const std::string& file, const CheckLine& line) {
  std::string text = (line.result.passed ? "pass  " : "FAIL  ") + file + ": " + titleText(line);
  if (line.result.points != 0) text += pointsText(line.result.points);
  if (!line.result.passed) text += ": " + failureText(line);
  return text;
}

std::string checksJson(const std::vector<SceneChecks>& scenes) {
  const CheckTotals sum = totals(scenes);
  Json root = Json::object();
  root["scenes"] = Json::array();
  for (const SceneChecks& scene : scenes) {
    Json entry = Json::object();
    entry["scene"] = scene.file;
    entry["status"] = scene.status;
    if (!scene.reason.empty()) entry["reason"] = scene.reason;
    if (!scene.problems.empty()) entry["problems"] = scene.problems;
    entry["checks"] = Json::array();
    for (const CheckLine& line : scene.lines) {
      Json check = Json::object();
      check["title"] = line.result.title;
      check["passed"] = line.result.passed;
      check["at"] = line.result.at;
      check["points"] = line.result.points;
      check["values"] = numbersJson(line.result.values);
      if (!line.with.empty()) check["with"] = numbersJson(line.with);
      const std::string& reason = line.reason.empty() ? line.result.reason : line.reason;
      if (!reason.empty()) check["reason"] = reason;
      entry["checks"].push_back(check);
    }
    entry["wallSeconds"] = scene.wallSeconds;
    root["scenes"].push_back(entry);
  }
  root["passed"] = sum.passed;
  root["failed"] = sum.failed;
  root["points"] = sum.points;
  root["possiblePoints"] = sum.possible;
  root["version"] = version();
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

struct Suite {
  std::string text;
  long tests = 0, failures = 0, errors = 0;
};

Suite junitSuite(const SceneChecks& scene) {
  Suite suite;
  const std::string file = xmlEscape(scene.file);
  std::string cases;
  for (const CheckLine& line : scene.lines) {
    ++suite.tests;
    cases += "    <testcase classname=\"" + file + "\" name=\"" + xmlEscape(titleText(line)) + "\"";
    if (line.result.passed) {
      cases += "/>\n";
      continue;
    }
    ++(line.error ? suite.errors : suite.failures);
    const std::string kind = line.error ? "error" : "failure";
    cases += ">\n      <" + kind + " message=\"" + xmlEscape(failureText(line)) + "\"";
    std::string problems;
    if (line.error && line.index < 0)
      for (const std::string& problem : scene.problems) problems += problem + "\n";
    cases += problems.empty() ? "/>" : ">" + xmlEscape(problems) + "</" + kind + ">";
    cases += "\n    </testcase>\n";
  }
  suite.text = "  <testsuite name=\"" + file + "\" tests=\"" + std::to_string(suite.tests) + "\" failures=\"" +
               std::to_string(suite.failures) + "\" errors=\"" + std::to_string(suite.errors) + "\" time=\"" +
               humanNumber(scene.wallSeconds) + "\">\n" + cases + "  </testsuite>\n";
  return suite;
}

}  // namespace

std::string checksJunit(const std::vector<SceneChecks>& scenes) {
  Suite all;
  for (const SceneChecks& scene : scenes) {
    const Suite suite = junitSuite(scene);
    all.tests += suite.tests, all.failures += suite.failures, all.errors += suite.errors;
    all.text += suite.text;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tendril\" tests=\"" +
         std::to_string(all.tests) + "\" failures=\"" + std::to_string(all.failures) + "\" errors=\"" +
         std::to_string(all.errors) + "\">\n" + all.text + "</testsuites>\n";
}

namespace {

/// Length in bytes of the UTF-8 sequence at `i` if it is complete and allowed in XML, otherwise 0.
std::size_t xmlCharacter(const std::string& text, std::size_t i) {
  const unsigned char first = static_cast<unsigned char>(text[i]);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || i + length > text.size()) return 0;
  unsigned long point = first & (0xff >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    const unsigned char next = static_cast<unsigned char>(text[i + k]);
    if ((next & 0xc0) != 0x80) return 0;
    point = point << 6 | (next & 0x3f);
  }
  const bool shortest = point >= (length == 2 ? 0x80ul : length == 3 ? 0x800ul : 0x10000ul);
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  return shortest && !surrogate && point <= 0x10ffff && point != 0xfffe && point != 0xffff ? length : 0;
}

}  // namespace

std::string xmlEscape(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = xmlCharacter(text, i);
    if (length == 0) {
      result += "\xef\xbf\xbd";  // the replacement character
      ++i;
      continue;
    }
    switch (text[i]) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
        result += "&#10;";
        break;
      default:
        result.append(text, i, length);
    }
    i += length;
  }
  return result;
}

}  // namespace tendril::cli
