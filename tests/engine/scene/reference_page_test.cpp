// The guide's reference page is the key table's own print. TENDRIL_WRITE_REFERENCE=1 in the environment writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "scene/format/keys.h"

namespace tendril::scene {
namespace reference_page_test {

TEST(ReferencePage, IsWhatTheKeyTablePrints) {
  const std::string path = std::string(TENDRIL_SOURCE_DIR) + "/docs/reference.md";
  if (std::getenv("TENDRIL_WRITE_REFERENCE")) std::ofstream(path, std::ios::binary) << keysReference();
  std::ifstream file(path, std::ios::binary);
  const std::string published((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_TRUE(published == keysReference())
      << "write it anew: TENDRIL_WRITE_REFERENCE=1 ctest --preset native -R ReferencePage";
}

}  // namespace reference_page_test
}  // namespace tendril::scene
