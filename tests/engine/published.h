// Tests against results that other programs computed. The results are not in the repository: such tests are built where
// CMake is given their folder (-DTENDRIL_PUBLISHED=...), and there a missing file is an error.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <string>

#ifdef TENDRIL_PUBLISHED
#define TEST_PUBLISHED(suite, name) TEST(suite, name)
#else
// Compiled, so that it does not fall behind, and never called.
#define TEST_PUBLISHED(suite, name) [[maybe_unused]] void suite##name##LeftOut()
#define TENDRIL_PUBLISHED ""
#endif

namespace tendril::test {

/// A file of that folder, open to be read.
inline std::ifstream published(const std::string& name) {
  std::ifstream file(std::string(TENDRIL_PUBLISHED) + "/" + name);
  if (!file) throw std::runtime_error("no published results in " + std::string(TENDRIL_PUBLISHED) + "/" + name);
  return file;
}

}  // namespace tendril::test
