// Prints a random scene of the property suite: print KIND SEED [FEATURE...], KIND one of those below, without some
// features. `print features` lists these.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "properties/scenes.h"

int main(int count, char** arguments) {
  using namespace tendril::properties;
  using Scenes = std::function<std::string(unsigned, const Telling&)>;
  const auto of = [](auto scenes, const Asked& asked) {
    return [=](unsigned seed, const Telling& t) { return scenes(seed, t, asked); };
  };
  const std::map<std::string, Scenes> kinds = {
      {"continuum", of(continuum, {})}, {"static", of(continuum, still())}, {"touching", of(touching, {})},
      {"linkage", of(linkage, {})},     {"loop", of(closedChain, {})},      {"vine", of(vines, {})},
  };
  if (count == 2 && std::string(arguments[1]) == "features") {
    for (const std::string& feature : features()) std::puts(feature.c_str());
    return 0;
  }
  if (count < 3 || kinds.count(arguments[1]) == 0) return 2;
  Telling telling;
  for (int i = 3; i < count; ++i) telling.without.insert(arguments[i]);
  std::puts(kinds.at(arguments[1])(static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)), telling).c_str());
}
