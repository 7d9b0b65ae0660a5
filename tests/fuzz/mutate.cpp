// A small seeded mutator for the loader: cuts, repeats, swaps and replaces pieces of the scenes that it is given.
// `loader_fuzz ROUNDS FILE...` always tries the same texts, so that a failure can be seen again.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::array<const char*, 44> pieces = {
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\ud800", "//", "/*", "*/", "null", "true", "-1", "0", "1e999", "1e-999",
    "1e12", "NaN", "\"=\"", "\"=t\"", "\"=1/0\"", "\"=sqrt(-1)\"", "\"=a^b^c\"", "\"=((((\"", "\"=x?y:z\"", "\"arm:99\"",
    "\"repeat\": {\"k\": 3},", "\"repeat\": {\"k\": 1e9},", "\"repeat\": {\"k\": -1},", "{k}", "{(k+1)%0}", "\"first\"",
    "\"a\": 1, \"a\": 2,", "\"segments\": 1e12,", "\"segments\": 0,", "\xff", "\xc3", "\xf0\x9f\xaa\xb1", "\x01", "=", "..",
    "\"defaults\": {\"rods\": {}},"};

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
  switch (dice.below(7)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, pieces[dice.below(pieces.size())]);
      break;
    case 2:
      text.replace(at, std::min(length, text.size() - at), pieces[dice.below(pieces.size())]);
      break;
    case 3:
      text.insert(at, text.substr(dice.below(text.size()), 4 * length));
      break;
    case 4:
      if (at < text.size()) text[at] = static_cast<char>(dice.below(256));
      break;
    case 5:
      if (dice.below(4) == 0) text.resize(at);
      break;
    default: {
      const std::string& other = corpus[dice.below(corpus.size())];
      text.insert(at, other.substr(dice.below(other.size()), 8 * length));
    }
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
    const std::size_t changes = 1 + dice.below(6);
    for (std::size_t i = 0; i < changes; ++i) mutate(text, corpus, dice);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
  std::printf("%ld texts\n", rounds);
  return 0;
}
