// Counts allocations in the test program, to prove that warm code allocates nothing.
#pragma once

namespace tendril::test {

/// Allocations since the program started: malloc and its kind with glibc, operator new elsewhere.
long allocationCount();

}  // namespace tendril::test
