// Counts calls of operator new in the test program, to prove that warm code allocates nothing.
#pragma once

namespace tendril::test {

/// Calls of operator new, in any form, since the program started.
long allocationCount();

}  // namespace tendril::test
