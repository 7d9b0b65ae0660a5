// Thousands of broken scenes, always the same ones: the loader answers each with a scene or with problems that have
// words and a place inside the text, and never crashes, hangs or throws.
#include <gtest/gtest.h>

#include <cstdint>
#include <ctime>
#include <fstream>
#include <iterator>

#include "scene/load/load.h"

namespace tendril::scene {
namespace mutation_test {

#ifdef __EMSCRIPTEN__
constexpr int scenes = 500;  // the same loader, unoptimized by the linker: a second instead of ten
#else
constexpr int scenes = 5000;
#endif

/// xorshift64*: the same numbers with every standard library.
class Dice {
 public:
  std::size_t below(std::size_t n) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::size_t>((state_ * 0x2545F4914F6CDD1Du) >> 33) % n;
  }

 private:
  std::uint64_t state_ = 88172645463325252u;
};

/// Pieces that mean something to the language.
const std::vector<std::string> pieces = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"",
                                         "\\",
                                         "null",
                                         "-1",
                                         "1e308",
                                         "-0",
                                         "1e12",
                                         "\"=1/0\"",
                                         "\"=t\"",
                                         "\"=s\"",
                                         "\"=k\"",
                                         "\"=((\"",
                                         "{k}",
                                         "{-k}",
                                         "\"repeat\": {\"k\": 3},",
                                         "\"repeat\": {\"q\": 100000},",
                                         "\"*\"",
                                         "\"arm:-1\"",
                                         "\"arm:5..2\"",
                                         "\"leg*:first\"",
                                         "\"=tip.x\"",
                                         "\"=limb.phi0(t)\"",
                                         "\"rods\": {},",
                                         "\"defaults\": {\"rods\": {\"path\": 1}},",
                                         "\"plate:0\"",
                                         "\"shells\": {},",
                                         "\"arm/limb@0.5\"",
                                         "\"arm:tip\"",
                                         "\"base\"",
                                         "{\"revolute\": {}},",
                                         "[[0, 1, 2], [2, 1, 0]]",
                                         "[0, 0, 0]",
                                         "// ",
                                         "/*",
                                         "\xC3\xA9",
                                         "\x80"};

std::string mutated(std::string text, Dice& dice) {
  for (std::size_t rounds = 1 + dice.below(4); rounds > 0 && !text.empty(); --rounds) {
    const std::size_t at = dice.below(text.size()), length = 1 + dice.below(20);
    const std::string& piece = pieces[dice.below(pieces.size())];
    switch (dice.below(12)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, piece);
        break;
      case 2:
        text.replace(at, piece.size(), piece);
        break;
      case 3:
        text.insert(dice.below(text.size()), text.substr(at, 3 * length));
        break;
      case 4:
        text[at] = static_cast<char>(32 + dice.below(96));
        break;
      case 5: {  // a value becomes another one: what stands between two separators
        const std::size_t begin = text.find_first_of(":,[", at);
        const std::size_t end = begin == std::string::npos ? begin : text.find_first_of(",]}", begin + 1);
        if (end != std::string::npos) text.replace(begin + 1, end - begin - 1, piece);
        break;
      }
      default: {  // mostly a digit becomes another one, so that the rest is still read
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text[digit] = static_cast<char>('0' + dice.below(10));
      }
    }
  }
  return text;
}

TEST(Mutation, BrokenScenesAreProblemsNeverCrashes) {
  std::vector<std::string> corpus;
  for (const char* name :
       {"everything.json", "language.json", "shells.json", "contact.json", "linkages.json", "small.json"}) {
    std::ifstream file(std::string(TENDRIL_SOURCE_DIR) + "/tests/fuzz/corpus/" + name, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    ASSERT_FALSE(corpus.back().empty()) << name;
    ASSERT_TRUE(std::holds_alternative<Scene>(loadScene(corpus.back()))) << name;
  }
  Dice dice;
  int refused = 0, accepted = 0;
  for (int k = 0; k < scenes; ++k) {
    const std::string text = mutated(corpus[dice.below(corpus.size())], dice);
    const auto begin = std::clock();
    const auto result = loadScene(text);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, 10) << text;
    const auto* problems = std::get_if<Problems>(&result);
    ++(problems ? refused : accepted);
    if (!problems) continue;
    ASSERT_FALSE(problems->empty()) << text;
    for (const Problem& problem : *problems) {
      ASSERT_FALSE(problem.message.empty()) << text;
      ASSERT_TRUE(problem.line >= 1 && problem.column >= 1 && problem.from <= problem.to && problem.to <= text.size())
          << text;
    }
  }
  // Both happen often, or the mutations prove nothing.
  EXPECT_GT(refused, scenes / 5);
  EXPECT_GT(accepted, scenes / 50);
}

}  // namespace mutation_test
}  // namespace tendril::scene
