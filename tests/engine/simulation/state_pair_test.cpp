// States of neighbors on either side of a run, brought closer to it.
#include "model/state_pair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tendril::model {
namespace state_pair_test {

/// What a run with the parameter `p` might save: numbers that bend with it, one that is none, and a count.
struct State {
  explicit State(double p = 0) {
    for (int i = 0; i < 5; ++i) list.push_back(i + (1 + i) * p + (0.5 - i) * p * p);
    member = 3 - 2 * p * p;
  }
  std::vector<double> list;
  double member = 0, none = std::numeric_limits<double>::quiet_NaN();
  int count = 7;
  std::array<double, 2> fixed = {1, 2};
  std::vector<double> empty;

  void visit(Archive& archive) {
    archive.list(list, SavedState::Kind::place);
    archive(member, none, count, fixed);
    archive.list(empty);
  }
  SavedState saved() {
    SavedState out;
    Archive archive(out);
    visit(archive);
    return out;
  }
  void restore(const SavedState& from) {
    std::span<const std::byte> bytes = from.bytes;
    Archive archive(bytes);
    visit(archive);
    EXPECT_TRUE(bytes.empty());
  }
};

TEST(StatePair, SaysWhereNumbersStand) {
  const SavedState saved = State().saved();
  std::vector<std::size_t> counts;
  std::vector<bool> places;
  for (const SavedState::Run& run : saved.runs)
    counts.push_back(run.count), places.push_back(run.kind == SavedState::Kind::place);
  EXPECT_EQ(counts, (std::vector<std::size_t>{5, 1, 1, 2, 0}));
  EXPECT_EQ(places, (std::vector<bool>{true, false, false, false, false}));
}

// What bends by a square alone is known at any distance from one.
TEST(StatePair, CloserNeighborsAreThoseOfASmallerChange) {
  const double h = 0.01, factor = 0.125;
  const SavedState base = State().saved();
  SavedState above = State(h).saved(), below = State(-h).saved();
  ASSERT_TRUE(alike(base, above, below));
  rescale(base, above, below, factor);
  State high, low;
  high.restore(above), low.restore(below);
  const State closeBy(factor * h), beyond(-factor * h);
  for (std::size_t i = 0; i < high.list.size(); ++i) {
    EXPECT_NEAR(high.list[i], closeBy.list[i], 2e-15);
    EXPECT_NEAR(low.list[i], beyond.list[i], 2e-15);
  }
  EXPECT_NEAR(high.member, closeBy.member, 1e-15);
  EXPECT_TRUE(std::isnan(high.none));
  EXPECT_EQ(high.count, 7);
}

TEST(StatePair, SpreadIsSlopeAndCurvature) {
  const double h = 0.01;
  std::vector<Spread> out;
  spreadOf(State().saved(), State(h).saved(), State(-h).saved(), out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_DOUBLE_EQ(out[0].size, 4);
  EXPECT_NEAR(out[0].odd, 5 * h, 1e-15);
  EXPECT_NEAR(out[0].even, 3.5 * h * h, 1e-15);
}

TEST(StatePair, OfOtherListsIsNone) {
  State longer(0.01);
  longer.list.push_back(1);
  EXPECT_FALSE(alike(State().saved(), longer.saved(), State(-0.01).saved()));
}

}  // namespace state_pair_test
}  // namespace tendril::model
