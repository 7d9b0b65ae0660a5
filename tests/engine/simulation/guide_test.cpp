// The guide's scenes run without a word, and end with the numbers that the guide prints under them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace guide_test {

struct Example {
  std::string place, scene;
  std::map<std::string, double> printed;  // probes at the end
};

std::string textOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::map<std::string, double> probesIn(const std::string& output) {
  std::map<std::string, double> probes;
  std::istringstream lines(output);
  std::string line, name;
  for (bool at = false; std::getline(lines, line);) {
    std::istringstream words(line);
    double value = 0;
    if (line == "Probes at the end")
      at = true;
    else if (at && words >> name >> value)
      probes[name] = value;
    else
      at = false;
  }
  return probes;
}

/// The scenes of a page; an output belongs to the JSON above it.
void readExamples(const std::filesystem::path& page, std::vector<Example>& examples) {
  std::istringstream lines(textOf(page));
  std::string line, kind, block;
  std::optional<Example> last;
  bool inside = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.rfind("```", 0) != 0) {
      block += line + "\n";
      continue;
    }
    if (inside && kind == "```json") {
      if (last) examples.push_back(*last);
      last.reset();
      if (block.find("\"tendril/1\"") != std::string::npos)
        last = Example{page.filename().string() + ":" + std::to_string(number), block, {}};
    } else if (inside && last) {
      last->printed.merge(probesIn(block));
    }
    inside = !inside;
    kind = line;
    block.clear();
  }
  if (last) examples.push_back(*last);
}

TEST(Guide, ScenesRunAndEndAsPrinted) {
  const std::filesystem::path home = TENDRIL_SOURCE_DIR;
  std::vector<Example> examples;
  readExamples(home / "README.md", examples);
  for (const auto& entry : std::filesystem::directory_iterator(home / "docs"))
    if (entry.path().extension() == ".md") readExamples(entry.path(), examples);
  std::size_t printed = 0;
  for (const Example& example : examples) {
    SCOPED_TRACE(example.place);
    Simulation sim(example.scene);
    for (const std::string& warning : test::runToEnd(sim).warnings) ADD_FAILURE() << warning;
    for (const auto& [name, value] : example.printed) {
      // What other compilers round elsewhere may change the last digits of a motion.
      EXPECT_NEAR(test::column(sim, name), value, 1e-6 * std::abs(value) + 1e-9) << name;
      ++printed;
    }
  }
  EXPECT_GE(examples.size(), 19u);
  EXPECT_GE(printed, 50u);
}

}  // namespace guide_test
}  // namespace tendril
