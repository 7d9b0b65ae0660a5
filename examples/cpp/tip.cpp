// Steps a scene to its end and prints what its probes measure, ten times on the way: tip SCENE.json
#include <tendril/simulation.h>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main(int count, char** words) {
  if (count != 2) return std::fprintf(stderr, "Usage: tip SCENE.json\n"), 2;
  std::ifstream file(words[1]);
  file.peek();  // a folder can be opened, but not read
  if (!file.is_open() || file.bad()) return std::fprintf(stderr, "%s cannot be read\n", words[1]), 2;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    tendril::Simulation simulation(text);
    std::printf("%s\n", simulation.title().c_str());
    while (!simulation.finished()) {
      const tendril::Progress progress = simulation.advance(simulation.duration() / 10);
      std::printf("t = %.4g s", progress.time);
      for (std::size_t i = 0; i < simulation.columns().size(); ++i)
        std::printf("  %s = %.6g", simulation.columns()[i].c_str(), simulation.values()[i]);
      std::printf("\n");
    }
  } catch (const tendril::BadScene& bad) {
    for (const tendril::Problem& problem : bad.problems)
      std::fprintf(stderr, "%s\n", describe(problem, words[1]).c_str());
    return 2;
  } catch (const tendril::GaveUp& error) {
    return std::fprintf(stderr, "gave up: %s\n", error.what()), 3;
  }
}
