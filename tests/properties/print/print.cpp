// Prints a random scene of the property suite: print KIND SEED, KIND one of continuum, static, linkage.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "properties/scenes.h"

int main(int count, char** arguments) {
  using namespace tendril::properties;
  if (count != 3) return 2;
  const std::string kind = arguments[1];
  const unsigned seed = static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10));
  Asked asked;
  asked.isStatic = kind == "static";
  std::puts((kind == "linkage" ? linkage(seed, {}, asked) : continuum(seed, {}, asked)).c_str());
}
