// Numbers of other programs that tests compare with. What we computed with them stands in tests/reference. What their
// authors published is not in the repository: TEST_PUBLISHED compares with it in `make test-long`, where the
// environment variable TENDRIL_PUBLISHED names its folder, and is skipped elsewhere.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

// tests/CMakeLists.txt knows these tests by the end of their suite's name.
#define TEST_PUBLISHED(suite, name)                                                  \
  static void suite##name##Compared();                                               \
  TEST(suite##Published, name) {                                                     \
    if (tendril::test::publishedFolder().empty())                                    \
      GTEST_SKIP() << "TENDRIL_PUBLISHED names no folder with the authors' results"; \
    suite##name##Compared();                                                         \
  }                                                                                  \
  static void suite##name##Compared()

namespace tendril::test {

/// "" where there is none.
inline std::string publishedFolder() {
  const char* folder = std::getenv("TENDRIL_PUBLISHED");
  return folder ? folder : "";
}

/// A file of tests/reference or else of that folder, open to be read.
inline std::ifstream referenceFile(const std::string& name) {
  std::ifstream file(TENDRIL_SOURCE_DIR "/tests/reference/" + name);
  if (!file) file.open(publishedFolder() + "/" + name);
  if (!file) throw std::runtime_error("no " + name + " in tests/reference, nor in the folder TENDRIL_PUBLISHED");
  return file;
}

}  // namespace tendril::test
