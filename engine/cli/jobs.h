// Several threads for work that falls into parts.
#pragma once

#include <cstddef>
#include <functional>

namespace tendril::cli {

/// Does work(0) to work(count - 1) in up to `jobs` threads, the caller's among them, and returns when all are done. The
/// first exception, by number of its part, is thrown then. Requests to end the program stay with the caller's thread.
void inParallel(int jobs, std::size_t count, const std::function<void(std::size_t)>& work);

/// Threads that the machine runs at one time.
int machineThreads();

}  // namespace tendril::cli
