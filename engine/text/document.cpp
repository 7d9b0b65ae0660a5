// The scene text and its tree, and the conversion of byte offsets to lines, columns and UTF-16 offsets.
#include "text/document.h"

#include <algorithm>

#include "text/document_parser.h"
#include "text/words.h"

namespace tendril::text {

namespace {

bool startsCodePoint(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t codePoints(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), startsCodePoint));
}

/// UTF-16 units: one per code point, two for those of four bytes.
std::size_t utf16Units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) units += startsCodePoint(c) ? (static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1) : 0;
  return units;
}

std::string repeatValues(const Value& at) {
  if (!at.bindings || at.bindings->empty()) return {};
  std::string text;
  for (const auto& [name, value] : *at.bindings)
    text += (text.empty() ? "" : ", ") + name + " = " + formatNumber(value);
  return " (with " + text + ")";
}

}  // namespace

Problem Document::problemAt(Span span, std::string pointer, std::string message) const {
  span.begin = std::min(span.begin, text_.size());
  span.end = std::min(std::max(span.end, span.begin), text_.size());
  const auto after = std::upper_bound(marks_.begin(), marks_.end(), span.begin,
                                      [](std::size_t at, const Mark& mark) { return at < mark.begin; });
  const Mark& mark = *(after - 1);
  const std::string_view view(text_), before = view.substr(mark.begin, span.begin - mark.begin);
  Problem problem;
  problem.message = std::move(message);
  constexpr std::size_t longestPointer = 400;  // keys may be megabytes long
  problem.pointer = pointer.size() > longestPointer ? clipped(pointer, longestPointer) : std::move(pointer);
  problem.line = static_cast<int>(mark.line) + 1;
  problem.column = static_cast<int>(mark.column + codePoints(before)) + 1;
  if (problem.line == 1 && span.begin >= 3 && view.substr(0, 3) == "\xEF\xBB\xBF") --problem.column;
  problem.from = mark.units + utf16Units(before);
  problem.to = problem.from + utf16Units(view.substr(span.begin, span.end - span.begin));
  return problem;
}

void Document::setMarks() {
  constexpr std::size_t distance = 256;
  marks_ = {Mark{}};
  Mark here;
  for (std::size_t k = 0; k < text_.size(); ++k) {
    const std::string_view character(&text_[k], 1);
    here.begin = k + 1;
    here.units += utf16Units(character);
    here.column += codePoints(character);
    const bool lineEnds = text_[k] == '\n' || (text_[k] == '\r' && (k + 1 == text_.size() || text_[k + 1] != '\n'));
    if (lineEnds) {
      ++here.line;
      here.column = 0;
    }
    if (lineEnds || here.begin - marks_.back().begin >= distance) marks_.push_back(here);
  }
}

const Member* Value::member(std::string_view key) const {
  for (const Member& member : members)
    if (member.key == key) return &member;
  return nullptr;
}

const Value* Value::find(std::string_view key) const {
  const Member* found = member(key);
  return found ? &found->value : nullptr;
}

Document Document::parse(std::string text, Problems& problems, bool& isJson) {
  constexpr std::size_t mostRefused = 100;
  isJson = false;
  Document document;
  document.text_ = std::move(text);
  if (document.text_.size() > maximumText) {
    Problem problem;
    problem.message = "the text is " + std::to_string(document.text_.size() >> 20) + " MiB long; the limit is " +
                      std::to_string(maximumText >> 20) + " MiB";
    problems.push_back(problem);
    return document;
  }
  document.setMarks();
  DocumentParser parser(document.text_);
  const std::optional<SyntaxError> error = parser.parse(document.root_);
  for (const SyntaxError& refused : parser.refused()) {
    if (problems.size() == mostRefused) {
      problems.back().message += andMoreProblems;
      break;
    }
    problems.push_back(document.problemAt(refused.span, refused.pointer, refused.message));
  }
  if (error) problems.push_back(document.problemAt(error->span, error->pointer, error->message));
  isJson = !error;
  return document;
}

std::variant<Document, Problems> Document::parse(std::string text) {
  Problems problems;
  bool isJson = false;
  Document document = parse(std::move(text), problems, isJson);
  if (!problems.empty()) return problems;
  return document;
}

std::optional<Document> Document::glance(std::string text) {
  Problems problems;
  bool isJson = false;
  Document document = parse(std::move(text), problems, isJson);
  if (!isJson) return std::nullopt;
  return document;
}

Problem Document::problem(const Value& at, std::string message) const {
  return problemAt(at.span, at.pointer, std::move(message) + repeatValues(at));
}

Problem Document::problem(const Value& at, std::string message, std::size_t offset, std::size_t length) const {
  // A part of a string has its own span only where the file has the same characters, without escapes and "{k}".
  const std::size_t begin = at.span.begin + 1;
  if (!at.isString() || begin > text_.size() || text_.compare(begin, at.string.size(), at.string) != 0 ||
      offset > at.string.size())
    return problem(at, std::move(message));
  const Span part{begin + offset, begin + std::min(offset + length, at.string.size())};
  return problemAt(part, at.pointer, std::move(message) + repeatValues(at));
}

Problem Document::problemAtKey(const Member& member, const Value& object, std::string message) const {
  return problemAt(member.keySpan, member.value.pointer, std::move(message) + repeatValues(object));
}

}  // namespace tendril::text
