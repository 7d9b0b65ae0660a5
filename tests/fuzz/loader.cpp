// The loader must survive any text: a scene or a list of problems with places inside the text, never a crash, a hang or
// both. The entry is libFuzzer's; mutate.cpp drives the same entry where there is no libFuzzer.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "scene/load/load.h"

namespace {

[[noreturn]] void broken(const char* what, std::string_view text) {
  std::fprintf(stderr, "%s, for the text:\n%.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

void checkProblems(const tendril::Problems& problems, std::string_view text) {
  if (problems.empty()) broken("refused without a problem", text);
  // UTF-16 units: at most one a byte, two where the byte looks like the first of a pair's (the text may be no UTF-8).
  const auto pairs = std::count_if(text.begin(), text.end(), [](unsigned char byte) { return byte >= 0xF0; });
  const std::size_t longest = text.size() + static_cast<std::size_t>(pairs);
  for (const tendril::Problem& problem : problems) {
    if (problem.message.empty()) broken("a problem without words", text);
    if (problem.line < 1 || problem.column < 1) broken("a problem without a place", text);
    if (problem.from > problem.to || problem.to > longest) broken("a problem outside the text", text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto scene = tendril::scene::loadScene(text);
  const auto* problems = std::get_if<tendril::Problems>(&scene);
  if (problems) checkProblems(*problems, text);
  const auto expanded = tendril::scene::expandScene(text);
  if (const auto* again = std::get_if<tendril::Problems>(&expanded)) checkProblems(*again, text);
  if (!problems && !std::holds_alternative<std::string>(expanded)) broken("loads, but does not expand", text);
  const auto imported = tendril::scene::importGeometry(text);
  if (const auto* refused = std::get_if<tendril::Problems>(&imported)) checkProblems(*refused, text);
  return 0;
}
