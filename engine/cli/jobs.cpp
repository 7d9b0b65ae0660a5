#include "cli/jobs.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace tendril::cli {

int machineThreads() { return std::max(1, int(std::thread::hardware_concurrency())); }

void inParallel(int jobs, std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  const std::size_t others = std::min(std::size_t(std::max(1, jobs)), count);
  try {
    for (std::size_t i = 1; i < others; ++i) threads.emplace_back(take);
  } catch (const std::system_error&) {  // fewer threads do it, too
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  take();
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tendril::cli
