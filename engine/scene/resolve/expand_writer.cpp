// Prints a resolved scene tree as JSON text that loads as the same scene: repeat names are replaced in its formulas.
#include "scene/resolve/expand_writer.h"

#include <cstdio>

#include "formula/compile/lexer.h"
#include "text/words.h"

namespace tendril::scene {

namespace {

constexpr std::size_t lineWidth = 100;

/// Keys whose texts are formulas even without "=".
bool isAlwaysFormula(std::string_view key) { return key == "where" || key == "expect" || key == "formula"; }

class Writer {
 public:
  void value(const text::Value& at, std::string_view key, int indent) {
    switch (at.kind) {
      case text::Value::Kind::null:
        out_ += "null";
        return;
      case text::Value::Kind::boolean:
        out_ += at.boolean ? "true" : "false";
        return;
      case text::Value::Kind::number:
        out_ += text::formatNumber(at.number);
        return;
      case text::Value::Kind::string:
        out_ += quoteJson(textOf(at, key));
        return;
      case text::Value::Kind::array:
        return list(at, key, indent);
      case text::Value::Kind::object:
        return object(at, indent);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  static std::string textOf(const text::Value& at, std::string_view key) {
    if (at.bindings && (at.isFormula() || isAlwaysFormula(key))) return substituteBindings(at.string, *at.bindings);
    return at.string;
  }

  void line(int indent) { out_ += "\n" + std::string(static_cast<std::size_t>(indent), ' '); }

  /// Tries to write the value on one line; false if it does not fit.
  bool inLine(const text::Value& at, std::string_view key, int indent) {
    const std::size_t start = out_.size();
    if (!flat(at, key) || out_.size() - start + static_cast<std::size_t>(indent) > lineWidth) {
      out_.resize(start);
      return false;
    }
    return true;
  }

  /// Writes everything on one line; stops early, with false, if it will not fit.
  bool flat(const text::Value& at, std::string_view key) {
    const std::size_t start = out_.size();
    if (at.isArray()) {
      out_ += "[";
      for (std::size_t k = 0; k < at.items.size(); ++k) {
        out_ += k > 0 ? ", " : "";
        if (!flat(at.items[k], key) || out_.size() - start > lineWidth) return false;
      }
      out_ += "]";
    } else if (at.isObject()) {
      out_ += "{";
      for (std::size_t k = 0; k < at.members.size(); ++k) {
        out_ += (k > 0 ? ", " : "") + quoteJson(at.members[k].key) + ": ";
        if (!flat(at.members[k].value, at.members[k].key) || out_.size() - start > lineWidth) return false;
      }
      out_ += "}";
    } else {
      value(at, key, 0);
    }
    return true;
  }

  void list(const text::Value& at, std::string_view key, int indent) {
    if (at.items.empty()) {
      out_ += "[]";
      return;
    }
    if (inLine(at, key, indent)) return;
    out_ += "[";
    for (std::size_t k = 0; k < at.items.size(); ++k) {
      line(indent + 2);
      if (!inLine(at.items[k], key, indent + 2)) value(at.items[k], key, indent + 2);
      if (k + 1 < at.items.size()) out_ += ",";
    }
    line(indent);
    out_ += "]";
  }

  void object(const text::Value& at, int indent) {
    if (at.members.empty()) {
      out_ += "{}";
      return;
    }
    if (indent >= 4 && inLine(at, "", indent)) return;
    out_ += "{";
    for (std::size_t k = 0; k < at.members.size(); ++k) {
      line(indent + 2);
      out_ += quoteJson(at.members[k].key) + ": ";
      value(at.members[k].value, at.members[k].key, indent + 2);
      if (k + 1 < at.members.size()) out_ += ",";
    }
    line(indent);
    out_ += "}";
  }

  std::string out_;
};

}  // namespace

std::string quoteJson(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string substituteBindings(std::string_view formula, const text::Bindings& bindings) {
  std::string out;
  std::size_t done = 0;
  const std::size_t begin = !formula.empty() && formula[0] == '=' ? 1 : 0;
  formula::Token token = formula::nextFormulaToken(formula, begin);
  while (token.kind != formula::Token::Kind::end && token.kind != formula::Token::Kind::error) {
    const formula::Token next = formula::nextFormulaToken(formula, token.at + token.length);
    const bool call = next.kind == formula::Token::Kind::symbol && next.text == "(";
    const auto bound =
        token.kind == formula::Token::Kind::name && !call ? bindings.find(std::string(token.text)) : bindings.end();
    if (bound != bindings.end()) {
      out += formula.substr(done, token.at - done);
      out += text::formatNumber(bound->second);
      done = token.at + token.length;
    }
    token = next;
  }
  return out + std::string(formula.substr(done));
}

std::string writeJson(const text::Value& root) {
  Writer writer;
  writer.value(root, "", 0);
  return writer.take() + "\n";
}

}  // namespace tendril::scene
