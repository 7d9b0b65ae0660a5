// Places that outlive the text: what is found later stands where the value is written, or where it would be.
#include "text/source_map.h"

#include <gtest/gtest.h>

#include "text/document.h"

namespace tendril::text {
namespace source_map_test {

const std::string written = R"J({
  "solver": {"dt": 0.01},
  "links": [{"name": "a"}, {"name": "b: c", "pitch": [1, 2]}]
})J";

SourceMap mapOf(const std::string& text) { return SourceMap(std::get<Document>(Document::parse(text))); }

TEST(SourceMap, KnowsWhereAValueStands) {
  const Problem dt = mapOf(written).problem("/solver/dt", "too long");
  EXPECT_EQ(dt.message, "too long");
  EXPECT_EQ(dt.pointer, "/solver/dt");
  EXPECT_EQ(dt.line, 2);
  EXPECT_EQ(dt.column, 20);
  EXPECT_EQ(written.substr(dt.from, dt.to - dt.from), "0.01");
  const Problem link = mapOf(written).problem("/links/1", "has: no mass");
  EXPECT_EQ(link.message, "has: no mass");
  EXPECT_EQ(link.line, 3);
  EXPECT_EQ(written.substr(link.from, 14), R"({"name": "b: c)");
}

TEST(SourceMap, ADefaultIsAtWhatWouldHoldIt) {
  EXPECT_EQ(mapOf(written).problem("/solver/rho", "ring").pointer, "/solver");
  EXPECT_EQ(mapOf(written).problem("/links/1/pitch/0", "x").pointer, "/links/1/pitch");
  EXPECT_EQ(mapOf(written).problem("/contact/self", "x").pointer, "");
  EXPECT_EQ(mapOf(written).problem("/contact/self", "x").to, mapOf(written).problem("", "x").to);
}

TEST(SourceMap, OfNothingStillSaysWhatIsWrong) {
  EXPECT_EQ(SourceMap().problem("/a/b", "x").message, "x");
  EXPECT_EQ(SourceMap().problem("/a/b", "x").pointer, "/a/b");
}

}  // namespace source_map_test
}  // namespace tendril::text
