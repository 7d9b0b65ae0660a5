// The Pratt parser that turns a formula's text into bytecode. Internal to engine/formula; all others call
// compileFormula (formula/formula.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formula/compile/code.h"
#include "formula/compile/lexer.h"
#include "formula/direction.h"
#include "formula/formula.h"

namespace tendril::formula {

class Compiler {
 public:
  Compiler(std::string_view text, const Scope& scope, Sight sight, const text::Bindings& bindings);

  /// Compiles into `formula`; false where the text is invalid (see error()).
  bool compile(Formula& formula, Location location);
  const Error& error() const { return error_; }

  /// As formula/direction.h; here because this class sees a formula's program.
  static double slopeAlong(const Formula& formula, const Direction& direction);

 private:
  bool parse(int binding, int depth);  ///< an expression whose operators bind at least as tightly as `binding`
  bool parsePrefix(int depth);
  bool parseConditional(std::size_t conditionStart, int depth);
  bool parseLogical(bool isAnd, int depth);
  bool parseName(const Token& name, int depth);
  bool parseCall(const Token& name, int depth);
  bool parseSeriesCall(const Token& name, int depth);
  bool parseFunctionCall(const Function& function, const Token& name, int depth);
  bool wrongArity(const Function& function, const Token& name);
  bool loadReserved(const Token& name);
  bool loadPlace(int index);
  int placeNamed(std::string_view name) const;  ///< its index, or -1
  bool unknownName(const Token& name);
  bool unknownFunction(const Token& name);

  void advance() { token_ = nextFormulaToken(text_, token_.at + token_.length); }
  bool atSymbol(std::string_view symbol) const;
  bool expect(std::string_view symbol, const std::string& where);
  bool fail(std::size_t at, std::size_t length, std::string message);
  bool failAt(const Token& token, std::string message) { return fail(token.at, token.length, std::move(message)); }

  std::size_t here() const { return formula_->code_.size(); }
  bool load(Op op, int index, double constant);  ///< pushes one value
  void apply(Op op, int count,
             std::size_t first);  ///< pops `count` values compiled from `first` on; folds constants
  std::size_t jump(Op op);
  void land(std::size_t jump) { formula_->code_[jump].index = static_cast<std::int32_t>(here()); }
  const double* constantSince(std::size_t start) const;  ///< the one constant compiled since, or null
  static void use(std::vector<int>& list, int index);

  std::string_view text_;
  const Scope& scope_;
  const Sight sight_;
  const text::Bindings& bindings_;
  Token token_;
  Formula* formula_ = nullptr;
  Error error_;
  int stack_ = 0;  ///< values on the evaluator's stack at this point
};

}  // namespace tendril::formula
