// A small seeded mutator for the loader: cuts, repeats and replaces pieces and values of the scenes that it is given.
// `loader_fuzz ROUNDS FILE...` always tries the same texts, so that a failure can be seen again.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// Pieces that break the text, or bend it.
const std::vector<std::string> pieces = {"{",          "}",         "[",    "]",
                                         ",",          ":",         "\"",   "\\",
                                         "\\ud800",    "//",        "/*",   "*/",
                                         "null",       "true",      "-",    "1e999",
                                         "{k}",        "\xff",      "\xc3", "\xf0\x9f\xaa\xb1",
                                         "\"a\": 1,",  "\x01",      "=",    "..",
                                         "\"format\"", "\"first\"", "#",    "\"repeat\": {\"k\": 3},"};

/// Values that leave the text JSON, so that what comes after the parser sees them.
const std::vector<std::string> values = {"null",
                                         "true",
                                         "0",
                                         "-1",
                                         "1e-320",
                                         "1e308",
                                         "1e12",
                                         "2147483648",
                                         "0.5",
                                         "[]",
                                         "{}",
                                         "[1]",
                                         "[0, 0, 0]",
                                         "[[0, 0, 0]]",
                                         "\"\"",
                                         "\"=\"",
                                         "\"=t\"",
                                         "\"=u\"",
                                         "\"=1/0\"",
                                         "\"=sqrt(-1)\"",
                                         "\"=2^3^400\"",
                                         "\"=((((\"",
                                         "\"=1?2:3\"",
                                         "\"=random()\"",
                                         "\"=random(1e300)\"",
                                         "\"=tip.z\"",
                                         "\"=E\"",
                                         "\"=k\"",
                                         "\"=limb.phi(t)\"",
                                         "\"=mod(1, 0) % 0\"",
                                         "\"arm:99\"",
                                         "\"leg*:first\"",
                                         "\"leg0:-1\"",
                                         "\"leg0@[0,0,0]\"",
                                         "\"leg0:2..1\"",
                                         "\"*\"",
                                         "\"straight\"",
                                         "\"flat\"",
                                         "\"plate\"",
                                         "\"plate@[0,0,0]\"",
                                         "[[0, 1, 2], [2, 1, 0]]",
                                         "{\"of\": \"tent\", \"where\": \"y > 0\"}",
                                         "{\"repeat\": {\"k\": 1e9}}",
                                         "{\"repeat\": {\"k\": -1, \"j\": 2}}",
                                         "{\"of\": \"leg0\", \"where\": \"x > 0\"}"};

/// Replaces one number or string of the text, found from a random place on, by one of `values`.
void replaceValue(std::string& text, std::size_t from, const std::string& value) {
  const std::size_t begin = text.find_first_of("\"-0123456789", from);
  if (begin == std::string::npos) return;
  std::size_t end = begin + 1;
  if (text[begin] == '"') {
    end = text.find('"', end);
    if (end == std::string::npos) return;
    ++end;
  } else {
    while (end < text.size() && std::string("0123456789.eE+-").find(text[end]) != std::string::npos) ++end;
  }
  text.replace(begin, end - begin, value);
}

/// xorshift64*: the same numbers everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  std::size_t below(std::size_t n) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return n == 0 ? 0 : static_cast<std::size_t>((state_ * 0x2545F4914F6CDD1Du) >> 33) % n;
  }

 private:
  std::uint64_t state_;
};

void mutate(std::string& text, const std::vector<std::string>& corpus, Dice& dice) {
  const std::size_t at = dice.below(text.size() + 1);
  const std::size_t length = 1 + dice.below(12);
  switch (dice.below(12)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, pieces[dice.below(pieces.size())]);
      break;
    case 2:
      text.insert(at, text.substr(dice.below(text.size()), 4 * length));
      break;
    case 3:
      if (at < text.size()) text[at] = static_cast<char>(dice.below(256));
      break;
    case 4:
      if (dice.below(4) == 0) text.resize(at);
      break;
    case 5: {
      const std::string& other = corpus[dice.below(corpus.size())];
      text.insert(at, other.substr(dice.below(other.size()), 8 * length));
      break;
    }
    default:
      replaceValue(text, at, values[dice.below(values.size())]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: loader_fuzz ROUNDS FILE...\n");
    return 2;
  }
  std::vector<std::string> corpus;
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (corpus.back().empty()) {
      std::fprintf(stderr, "%s is empty or cannot be read\n", argv[i]);
      return 2;
    }
  }
  const long rounds = std::strtol(argv[1], nullptr, 10);
  for (long round = 0; round < rounds; ++round) {
    Dice dice(static_cast<std::uint64_t>(round));
    std::string text = corpus[dice.below(corpus.size())];
    const std::size_t changes = 1 + dice.below(4);
    for (std::size_t i = 0; i < changes; ++i) mutate(text, corpus, dice);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
  std::printf("%ld texts\n", rounds);
  return 0;
}
