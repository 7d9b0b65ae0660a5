// What assertions look at, and that builds which have them stop at a broken invariant.
#include "geometry/invariants.h"

#include <gtest/gtest.h>

#include "geometry/triangle_mesh.h"
#include "links/chain/chain.h"
#include "solve/ordering/ordering.h"
#include "solve/ordering/supernodes.h"

namespace tendril::geometry {
namespace invariants_test {

TEST(Invariants, RangesEndBeforeTheirSize) {
  EXPECT_TRUE(inRange(0, 1u));
  EXPECT_FALSE(inRange(1, 1u));
  EXPECT_FALSE(inRange(-1, 1u));
  EXPECT_TRUE(allInRange(std::vector{0, 2, 1}, 3));
  EXPECT_FALSE(allInRange(std::vector{0, 3}, 3));
}

TEST(Invariants, AscendingHasNoRepeats) {
  EXPECT_TRUE(isAscending(std::vector{1, 4, 9}));
  EXPECT_FALSE(isAscending(std::vector{1, 4, 4}));
}

TEST(Invariants, PermutationsHaveEachOnce) {
  EXPECT_TRUE(isPermutation(std::vector{2, 0, 1}));
  EXPECT_FALSE(isPermutation(std::vector{2, 0, 0}));
  EXPECT_FALSE(isPermutation(std::vector{1, 2}));
}

TEST(Invariants, PanelsThatShareAColumnAreNotConsistent) {
  const std::vector<std::array<int, 2>> pattern = {{1, 0}, {2, 1}, {3, 2}, {4, 3}, {4, 0}};
  solve::Supernodes panels = solve::findSupernodes(solve::buildGraph(5, pattern), std::vector{0, 1, 2, 3, 4});
  EXPECT_TRUE(panels.isConsistent());
  solve::Supernodes broken = panels;
  broken.rows[1] = broken.rows[0];
  EXPECT_FALSE(broken.isConsistent());
  broken = panels;
  broken.panelOf.pop_back();
  EXPECT_FALSE(broken.isConsistent());
}

#if !defined(NDEBUG) && GTEST_HAS_DEATH_TEST
TEST(InvariantsDeathTest, AnOrderThatNamesAnUnknownTwiceStopsTheProgram) {
  EXPECT_DEATH(solve::invertOrder(std::vector{0, 0}), "isPermutation");
}

TEST(InvariantsDeathTest, AStepBeforeItsParentStopsTheProgram) {
  links::ChainStep step;
  step.parent = 3;
  EXPECT_DEATH(links::Chain({step}, {}, 0), "parents come before their children");
}
#endif

}  // namespace invariants_test
}  // namespace tendril::geometry
