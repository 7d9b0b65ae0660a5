// Rows of bad scenes for the tests of messages: each a text with marks, and the place and words of its problem. Between
// the two "~" of a text stands what the problem must underline.
#pragma once

#include <algorithm>

#include "scene_text.h"

namespace tendril::scene {

struct Row {
  enum class Form { whole, more, rod, plate, shell, arm, linkage, links, joint, rigid, soft };
  Form form;
  /// The whole scene; members added to sceneText(), plateText() or armText() (`linkage`: to its linkage); the members
  /// of the one rod or shell of rodText() or shellText(); the links of linksText(); the joint of one link "a", or its
  /// rigid or soft body.
  const char* text;
  const char* pointer;
  const char* message;  ///< part of the message
};

/// The text without its marks, and the places of the marks in it.
struct Marked {
  std::string text;
  std::size_t from = 0, to = 0;
};

inline Marked marked(const Row& row) {
  std::string text = row.text;
  if (row.form == Row::Form::more) text = sceneText(text);
  if (row.form == Row::Form::rod) text = rodText(text);
  if (row.form == Row::Form::plate) text = plateText(text);
  if (row.form == Row::Form::shell) text = shellText(text);
  const std::string rigid = R"J("body": {"rigid": {"length": 1}})J";
  if (row.form == Row::Form::arm) text = armText(text);
  if (row.form == Row::Form::linkage) text = armText("", text);
  if (row.form == Row::Form::links) text = linksText(text);
  if (row.form == Row::Form::joint) text = linksText("\"a\": {" + rigid + ", \"joint\": " + text + "}");
  if (row.form == Row::Form::rigid) text = linksText("\"a\": {\"body\": {\"rigid\": " + text + "}}");
  if (row.form == Row::Form::soft) text = linksText("\"a\": {\"body\": {\"soft\": " + text + "}}");
  Marked result;
  result.from = text.find('~');
  const std::size_t second = text.find('~', result.from + 1);
  result.to = second == std::string::npos ? result.from : second - 1;
  text.erase(std::remove(text.begin(), text.end(), '~'), text.end());
  result.text = text;
  return result;
}

inline std::string listed(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) text += "  " + describe(problem, "scene") + "\n";
  return text.empty() ? "  (it loads)\n" : text;
}

/// The row's problem is told, at its place and in its words.
inline void expectRefused(const Row& row) {
  const Marked scene = marked(row);
  Problems problems;
  ASSERT_NO_THROW(problems = problemsOf(scene.text)) << row.text;
  const bool told = std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    const bool words = problem.message.find(row.message) != std::string::npos && problem.pointer == row.pointer;
    if (row.pointer[0] == '\0' && row.message[0] == '\0') return true;  // syntax: refused, wherever it is noticed
    return words && problem.from == scene.from && problem.to == scene.to;
  });
  EXPECT_TRUE(told) << row.text << "\nexpected [" << scene.from << ", " << scene.to << ") " << row.pointer << ": "
                    << row.message << "\nfound\n"
                    << listed(problems) << (problems.empty() ? 0 : problems[0].from);
}

}  // namespace tendril::scene
