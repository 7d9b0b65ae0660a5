// The counter that other tests rely on must itself see what it claims to see.
#include "allocation_count.h"

#include <gtest/gtest.h>

#include <memory>

#include "geometry/types.h"

namespace tendril::test {

TEST(AllocationCount, SeesOperatorNew) {
  const long before = allocationCount();
  const auto held = std::make_unique<double[]>(100);
  EXPECT_EQ(allocationCount(), before + 1);
  EXPECT_EQ(held[0], 0);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
TEST(AllocationCount, SeesVectorsOfEigen) {
  const long before = allocationCount();
  const VectorX held = VectorX::Constant(100, 2.0);
  EXPECT_EQ(allocationCount(), before + 1);
  EXPECT_EQ(held.sum(), 200);
}
#endif

}  // namespace tendril::test
