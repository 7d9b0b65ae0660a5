// The Pratt parser of the formula language: precedence, calls and conditionals become bytecode with jumps, with
// constant folding. Names are resolved in names.cpp.
#include "formula/compile/compiler.h"

#include <algorithm>

namespace tendril::formula {

namespace {

constexpr int maximumDepth = 200;
constexpr std::size_t maximumLength = 20000;

/// Left binding powers; `^` is the strongest, a prefix operator lies between it and `*`.
constexpr int conditionalPower = 1, relationPower = 5, prefixPower = 8, exponentPower = 9;

struct Infix {
  std::string_view symbol;
  int power;
  Op op;
};
constexpr Infix infixes[] = {
    {"?", conditionalPower, Op::jump},
    {"||", 2, Op::jump},
    {"&&", 3, Op::jump},
    {"==", 4, Op::equal},
    {"!=", 4, Op::notEqual},
    {"<", relationPower, Op::less},
    {"<=", relationPower, Op::lessEqual},
    {">", relationPower, Op::greater},
    {">=", relationPower, Op::greaterEqual},
    {"+", 6, Op::add},
    {"-", 6, Op::subtract},
    {"*", 7, Op::multiply},
    {"/", 7, Op::divide},
    {"%", 7, Op::modulo},
    {"^", exponentPower, Op::power},
};

const Infix* findInfix(const Token& token) {
  if (token.kind != Token::Kind::symbol) return nullptr;
  for (const Infix& infix : infixes)
    if (infix.symbol == token.text) return &infix;
  return nullptr;
}

std::string describeToken(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the formula";
  return "\"" + std::string(token.text.substr(0, 40)) + "\"";
}

}  // namespace

Compiler::Compiler(std::string_view text, const Scope& scope, Sight sight, const text::Bindings& bindings)
    : text_(text), scope_(scope), sight_(sight), bindings_(bindings) {}

bool Compiler::compile(Formula& formula, Location location) {
  formula_ = &formula;
  formula.text_ = std::string(text_);
  formula.location_ = std::move(location);
  if (text_.size() > maximumLength)
    return fail(0, 1,
                "the formula is " + std::to_string(text_.size()) + " characters long; the limit is " +
                    std::to_string(maximumLength));
  const std::size_t begin = text_.find_first_not_of(" \t\r\n");
  token_ = nextFormulaToken(text_, begin != std::string_view::npos && text_[begin] == '=' ? begin + 1 : 0);
  if (token_.kind == Token::Kind::end) return fail(0, std::max<std::size_t>(text_.size(), 1), "the formula is empty");
  if (!parse(0, 0)) return false;
  if (token_.kind == Token::Kind::error) return failAt(token_, token_.message);
  if (token_.kind == Token::Kind::end) return true;
  if (atSymbol(")")) return failAt(token_, "this \")\" closes nothing");
  if (atSymbol(",")) return failAt(token_, "a comma is allowed only between the arguments of a function");
  if (atSymbol(":")) return failAt(token_, "\":\" is allowed only after \"?\": condition ? a : b");
  return failAt(token_, "an operator is missing before " + describeToken(token_));
}

bool Compiler::parse(int binding, int depth) {
  if (depth > maximumDepth)
    return failAt(token_, "the formula is nested more than " + std::to_string(maximumDepth) + " deep");
  const std::size_t left = here();
  if (!parsePrefix(depth)) return false;
  bool related = false;
  while (const Infix* infix = findInfix(token_)) {
    if (infix->power < binding) break;
    const Token symbol = token_;
    if (infix->power == relationPower) {
      if (related) return failAt(symbol, "comparisons do not chain: write a < b && b < c");
      related = true;
    }
    advance();
    if (infix->symbol == "?") {
      if (!parseConditional(left, depth + 1)) return false;
    } else if (infix->op == Op::jump) {
      if (!parseLogical(infix->symbol == "&&", depth + 1)) return false;
    } else {
      // `^` associates to the right, the others to the left.
      if (!parse(infix->op == Op::power ? exponentPower : infix->power + 1, depth + 1)) return false;
      apply(infix->op, 2, left);
    }
    if (infix->power < relationPower) related = false;
  }
  return true;
}

bool Compiler::parsePrefix(int depth) {
  const Token first = token_;
  const std::size_t start = here();
  switch (first.kind) {
    case Token::Kind::error:
      return failAt(first, first.message);
    case Token::Kind::end:
      return failAt(first, "the formula ends where a value is expected");
    case Token::Kind::number:
      advance();
      return load(Op::constant, 0, first.number);
    case Token::Kind::name:
      advance();
      return parseName(first, depth);
    case Token::Kind::symbol:
      break;
  }
  advance();
  if (first.text == "(")
    return parse(0, depth + 1) && expect(")", "to close the bracket at " + std::to_string(first.at + 1));
  if (first.text == "-" || first.text == "!" || first.text == "+") {
    if (!parse(prefixPower, depth + 1)) return false;
    if (first.text != "+") apply(first.text == "-" ? Op::negate : Op::invert, 1, start);
    return true;
  }
  return failAt(first, "a value is expected before " + describeToken(first));
}

bool Compiler::parseConditional(std::size_t conditionStart, int depth) {
  const double* known = constantSince(conditionStart);
  const bool folds = known != nullptr, chosen = known && *known != 0;
  if (folds) {
    formula_->code_.pop_back();
    --stack_;
  }
  const int stack = stack_ - (folds ? 0 : 1);
  const std::size_t toElse = folds ? 0 : jump(Op::jumpIfZero);
  stack_ = stack;
  const std::size_t first = here();
  if (!parse(conditionalPower, depth)) return false;
  if (!expect(":", "between the two values of \"condition ? a : b\"")) return false;
  if (folds && !chosen) {
    formula_->code_.resize(first);
    stack_ = stack;
  }
  const std::size_t toEnd = folds ? 0 : jump(Op::jump);
  if (!folds) {
    land(toElse);
    stack_ = stack;
  }
  const std::size_t second = here();
  if (!parse(conditionalPower, depth)) return false;
  if (folds && chosen) formula_->code_.resize(second);
  if (!folds) land(toEnd);
  stack_ = stack + 1;
  return true;
}

bool Compiler::parseLogical(bool isAnd, int depth) {
  // a && b:  a; jumpIfZero F; b; truth; jump E; F: 0; E:     a || b:  a; invert; jumpIfZero F; b; truth; jump E; F: 1;
  // E:
  if (!isAnd) formula_->code_.push_back({static_cast<std::uint16_t>(Op::invert), 1, 0, 0});
  const std::size_t toShort = jump(Op::jumpIfZero);
  --stack_;
  const int stack = stack_;
  if (!parse(isAnd ? 4 : 3, depth)) return false;
  formula_->code_.push_back({static_cast<std::uint16_t>(Op::truth), 1, 0, 0});
  const std::size_t toEnd = jump(Op::jump);
  land(toShort);
  stack_ = stack;
  if (!load(Op::constant, 0, isAnd ? 0 : 1)) return false;
  land(toEnd);
  return true;
}

bool Compiler::parseFunctionCall(const Function& function, const Token& name, int depth) {
  const std::size_t start = here();
  const bool pairs = function.op == Op::min || function.op == Op::max;
  int count = 0;
  while (!atSymbol(")") || count > 0) {
    if (!parse(0, depth + 1)) return false;
    if (++count > function.most) return wrongArity(function, name);
    if (pairs && count > 1) apply(function.op, 2, start);
    if (!atSymbol(",")) break;
    advance();
  }
  if (atSymbol(")") && count < function.least) return wrongArity(function, name);
  if (!expect(")", "to close " + std::string(name.text) + "(")) return false;
  if (!pairs) apply(function.op, count, start);
  return true;
}

bool Compiler::wrongArity(const Function& function, const Token& name) {
  std::string counts = std::to_string(function.least);
  if (function.most == std::numeric_limits<int>::max())
    counts = "one or more";
  else if (function.most != function.least)
    counts += " to " + std::to_string(function.most);
  return failAt(name, std::string(function.name) + " takes " + counts +
                          (counts == "1" ? " argument: " : " arguments: ") + std::string(function.usage));
}

bool Compiler::atSymbol(std::string_view symbol) const {
  return token_.kind == Token::Kind::symbol && token_.text == symbol;
}

bool Compiler::expect(std::string_view symbol, const std::string& where) {
  if (token_.kind == Token::Kind::error) return failAt(token_, token_.message);
  if (!atSymbol(symbol))
    return failAt(token_, "\"" + std::string(symbol) + "\" is expected " + where + ", found " + describeToken(token_));
  advance();
  return true;
}

bool Compiler::fail(std::size_t at, std::size_t length, std::string message) {
  error_ = {std::move(message), std::min(at, text_.size()), std::max<std::size_t>(length, 1)};
  return false;
}

bool Compiler::load(Op op, int index, double constant) {
  if (++stack_ > formulaStackDepth) return failAt(token_, "the formula is too deeply nested");
  formula_->depth_ = std::max(formula_->depth_, stack_);
  formula_->code_.push_back({static_cast<std::uint16_t>(op), 0, index, constant});
  return true;
}

const double* Compiler::constantSince(std::size_t start) const {
  if (here() != start + 1 || formula_->code_[start].op != static_cast<std::uint16_t>(Op::constant)) return nullptr;
  return &formula_->code_[start].constant;
}

void Compiler::apply(Op op, int count, std::size_t first) {
  std::vector<Formula::Instruction>& code = formula_->code_;
  stack_ -= count - 1;
  // The arguments are constants exactly if they are `count` instructions, all of them constants.
  bool constant = here() == first + static_cast<std::size_t>(count);
  for (std::size_t k = first; constant && k < here(); ++k)
    constant = code[k].op == static_cast<std::uint16_t>(Op::constant);
  if (!constant) {
    code.push_back({static_cast<std::uint16_t>(op), static_cast<std::uint16_t>(count), 0, 0});
    return;
  }
  double arguments[4] = {0, 0, 0, 0};
  for (int k = 0; k < count; ++k) arguments[k] = code[first + static_cast<std::size_t>(k)].constant;
  code.resize(first);
  code.push_back({static_cast<std::uint16_t>(Op::constant), 0, 0, applyFormulaOp(op, arguments, count)});
}

std::size_t Compiler::jump(Op op) {
  formula_->code_.push_back({static_cast<std::uint16_t>(op), 0, 0, 0});
  return here() - 1;
}

void Compiler::use(std::vector<int>& list, int index) {
  const auto at = std::lower_bound(list.begin(), list.end(), index);
  if (at == list.end() || *at != index) list.insert(at, index);
}

}  // namespace tendril::formula
