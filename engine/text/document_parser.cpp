// A strict JSON reader that allows // and /* */ comments, records the span of every value and key and limits depth,
// size and the number of values. Its errors say what was found and what is expected.
#include "text/document_parser.h"
#include "text/words.h"

#include <cmath>
#include <cstdlib>
#include <unordered_set>

namespace tendril::text {

namespace {

constexpr int maximumDepth = 100;
constexpr std::size_t maximumValues = 2000000;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordCharacter(char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

void appendUtf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

/// Bytes of the well-formed UTF-8 sequence at the start of `text`, 0 where it is not well formed.
std::size_t utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates and code points beyond the last.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) || (first == 0xF0 && byte(1) < 0x90) ||
      (first == 0xF4 && byte(1) > 0x8F))
    return 0;
  return length;
}

}  // namespace

std::string pointerPart(std::string_view key) {
  std::string part = "/";
  for (const char c : key) part += c == '~' ? std::string("~0") : c == '/' ? std::string("~1") : std::string(1, c);
  return part;
}

std::optional<SyntaxError> DocumentParser::parse(Value& root) {
  if (!validUtf8()) return error_;
  if (text_.size() > 1 && (text_[0] == '\0' || text_[1] == '\0'))
    return SyntaxError{
        "the text has a zero byte beside its first character, as UTF-16 has: save the file as UTF-8", "", {0, 2}};
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;  // a byte order mark is not part of the text
  if (!blanks()) return error_;
  if (ended())
    return SyntaxError{
        "the text is empty: a scene is a JSON object, { \"format\": \"tendril/1\", ... }", "", {0, text_.size()}};
  if (!value(root, "", 1) || !blanks()) return error_;
  if (!ended()) {
    std::size_t end = at_;
    const std::string found = foundHere(end);
    pointer_.clear();
    fail(at_, end, "the scene ends before this, but there is more text: found " + found);
  }
  return error_;
}

bool DocumentParser::validUtf8() {
  for (std::size_t k = 0; k < text_.size();) {
    const std::size_t length = utf8Length(text_.substr(k, 4));
    if (length == 0) return fail(k, k + 1, "the text is not valid UTF-8 from here on: save the file as UTF-8");
    k += length;
  }
  return true;
}

bool DocumentParser::value(Value& out, std::string pointer, int depth) {
  if (depth > maximumDepth) return fail(at_, at_ + 1, "nested more than " + std::to_string(maximumDepth) + " deep");
  if (++count_ > maximumValues)
    return fail(at_, at_ + 1, "more than " + std::to_string(maximumValues) + " values: the scene is too large");
  out.pointer = std::move(pointer);
  pointer_ = out.pointer;
  out.span.begin = at_;
  bool good = false;
  const char c = peek();
  if (ended()) {
    return failHere("a value");
  } else if (c == '{') {
    out.kind = Value::Kind::object;
    good = object(out, depth);
  } else if (c == '[') {
    out.kind = Value::Kind::array;
    good = array(out, depth);
  } else if (c == '"') {
    out.kind = Value::Kind::string;
    good = string(out.string);
  } else if (c == '-' || isDigit(c)) {
    out.kind = Value::Kind::number;
    good = number(out.number);
  } else {
    good = word(out);
  }
  out.span.end = at_;
  pointer_ = out.pointer;
  return good;
}

bool DocumentParser::object(Value& out, int depth) {
  ++at_;
  std::unordered_set<std::string> keys;
  if (!blanks()) return false;
  if (peek() == '}') return ++at_, true;
  while (true) {
    if (!member(out, depth)) return false;
    const Member& last = out.members.back();
    if (!keys.insert(last.key).second)
      refused_.push_back(
          {"the key \"" + clipped(last.key) + "\" appears twice in this object", last.value.pointer, last.keySpan});
    if (!blanks()) return false;
    if (peek() == '}' && !ended()) return ++at_, true;
    if (peek() != ',') return failHere("\",\" or \"}\" after a value of an object");
    const std::size_t comma = at_++;
    if (!blanks()) return false;
    if (peek() == '}') return fail(comma, comma + 1, "a comma before \"}\" is not allowed: remove it");
  }
}

bool DocumentParser::member(Value& object, int depth) {
  if (peek() != '"') return failHere("a key in double quotes");
  Member member;
  member.keySpan.begin = at_;
  if (!string(member.key)) return false;
  member.keySpan.end = at_;
  if (!blanks()) return false;
  if (peek() != ':') return failHere("\":\" after a key");
  ++at_;
  if (!blanks()) return false;
  if (!value(member.value, object.pointer + pointerPart(member.key), depth + 1)) return false;
  pointer_ = object.pointer;
  object.members.push_back(std::move(member));
  return true;
}

bool DocumentParser::array(Value& out, int depth) {
  ++at_;
  if (!blanks()) return false;
  if (peek() == ']') return ++at_, true;
  while (true) {
    Value item;
    if (!value(item, out.pointer + "/" + std::to_string(out.items.size()), depth + 1)) return false;
    pointer_ = out.pointer;
    out.items.push_back(std::move(item));
    if (!blanks()) return false;
    if (peek() == ']') return ++at_, true;
    if (peek() != ',') return failHere("\",\" or \"]\" after a value of a list");
    const std::size_t comma = at_++;
    if (!blanks()) return false;
    if (peek() == ']') return fail(comma, comma + 1, "a comma before \"]\" is not allowed: remove it");
  }
}

bool DocumentParser::string(std::string& out) {
  const std::size_t begin = at_++;
  while (true) {
    if (ended()) return fail(begin, begin + 1, "this text has no closing quote");
    const char c = text_[at_];
    if (c == '"') return ++at_, true;
    if (c == '\\') {
      if (!escape(out)) return false;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      return fail(at_, at_ + 1,
                  c == '\n' || c == '\r' ? "a line break inside a text: close the quote, or write \\n"
                                         : "a control character inside a text: write it as an escape such as \\t");
    } else {
      out += c;
      ++at_;
    }
  }
}

bool DocumentParser::escape(std::string& out) {
  const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  for (int k = 0; names[k] != '\0'; ++k)
    if (c == names[k]) {
      out += meanings[k];
      at_ += 2;
      return true;
    }
  if (c == 'u') return unicodeEscape(out);
  return fail(at_, at_ + 1,
              "unknown escape after \"\\\": the known ones are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
}

bool DocumentParser::hexDigits(unsigned& code) {
  code = 0;
  if (at_ + 6 > text_.size()) return false;
  for (std::size_t k = at_ + 2; k < at_ + 6; ++k) {
    const char c = text_[k];
    const int digit = isDigit(c)             ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return false;
    code = code * 16 + static_cast<unsigned>(digit);
  }
  return true;
}

bool DocumentParser::unicodeEscape(std::string& out) {
  const std::size_t begin = at_;
  unsigned code = 0, low = 0;
  if (!hexDigits(code)) return fail(begin, begin + 2, "\\u is followed by four hexadecimal digits");
  at_ += 6;
  if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u" && hexDigits(low) && low >= 0xDC00 &&
      low < 0xE000) {
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    at_ += 6;
  }
  if (code >= 0xD800 && code < 0xE000) {
    refuse(begin, begin + 6, "half of a surrogate pair: \\ud83d\\ude00 is a whole one");
    code = 0xFFFD;
  }
  appendUtf8(out, code);
  return true;
}

bool DocumentParser::number(double& out) {
  const std::size_t begin = at_;
  const auto digits = [&] {
    const std::size_t first = at_;
    while (isDigit(peek())) ++at_;
    return at_ - first;
  };
  if (peek() == '-') ++at_;
  const std::size_t whole = at_, count = digits();
  bool good = count > 0;
  if (count > 1 && text_[whole] == '0') return fail(begin, at_, "a number does not start with a zero: remove it");
  if (good && peek() == '.') {
    ++at_;
    good = digits() > 0;
  }
  if (good && (peek() == 'e' || peek() == 'E')) {
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    good = digits() > 0;
  }
  const std::string token(text_.substr(begin, at_ - begin));
  if (!good || isWordCharacter(peek()) || peek() == '.') {
    while (isWordCharacter(peek()) || peek() == '.') ++at_;
    return fail(begin, at_,
                "\"" + std::string(text_.substr(begin, std::min<std::size_t>(at_ - begin, 40))) +
                    "\" is not a number: write it like -12, 0.5 or 1e-3, or a formula in quotes, \"=1/3\"");
  }
  out = std::strtod(token.c_str(), nullptr);
  if (!std::isfinite(out)) {
    refuse(begin, at_, "the number " + token.substr(0, 40) + " is too large: numbers must be finite");
    out = 0;
  }
  return true;
}

bool DocumentParser::word(Value& out) {
  const std::size_t begin = at_;
  std::size_t end = begin;
  while (end < text_.size() && isWordCharacter(text_[end])) ++end;
  const std::string_view token = text_.substr(begin, end - begin);
  if (token == "true" || token == "false") {
    out.kind = Value::Kind::boolean;
    out.boolean = token == "true";
  } else if (token == "null") {
    out.kind = Value::Kind::null;
  } else if (token == "NaN" || token == "Infinity" || token == "nan" || token == "inf") {
    refuse(begin, end, std::string(token) + " is not allowed: numbers must be finite");
    out.kind = Value::Kind::number;
  } else if (peek() == '\'') {
    return fail(begin, begin + 1, "texts need double quotes");
  } else {
    return failHere("a value");
  }
  at_ = end;
  return true;
}

bool DocumentParser::blanks() {
  while (!ended()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      while (!ended() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
      const std::size_t close = text_.find("*/", at_ + 2);
      if (close == std::string_view::npos) return fail(at_, at_ + 2, "this comment is not closed: */ is missing");
      at_ = close + 2;
    } else {
      break;
    }
  }
  return true;
}

std::string DocumentParser::foundHere(std::size_t& end) const {
  if (ended()) {
    end = at_;
    return "the end of the text";
  }
  end = at_ + 1;
  if (text_[at_] == '"') return "a text in quotes";
  while (isWordCharacter(text_[at_]) && end < text_.size() && end - at_ < 40 && isWordCharacter(text_[end])) ++end;
  while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
  if (static_cast<unsigned char>(text_[at_]) < 0x20 || text_[at_] == 0x7f) return "a control character";
  return "\"" + std::string(text_.substr(at_, end - at_)) + "\"";
}

bool DocumentParser::failHere(const std::string& expected) {
  std::size_t end = at_;
  const std::string found = foundHere(end);
  return fail(at_, end, "expected " + expected + ", found " + found);
}

void DocumentParser::refuse(std::size_t begin, std::size_t end, std::string message) {
  refused_.push_back({std::move(message), pointer_, {begin, end}});
}

bool DocumentParser::fail(std::size_t begin, std::size_t end, std::string message) {
  error_ = SyntaxError{std::move(message), pointer_, {begin, end}};
  return false;
}

}  // namespace tendril::text
