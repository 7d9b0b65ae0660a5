// Vectors of doubles of a chosen length for kernels that are compiled once for each kind of processor. Everything here
// is inlined and takes references, because the ABI of a function that passes a wide vector depends on its target.
#pragma once

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define TENDRIL_AVX [[gnu::target("avx")]]
#endif

namespace tendril::solve {

/// `Lanes` doubles in one register.
template <int Lanes>
struct WideOf;
template <>
struct WideOf<1> {
  using Type = double;
};
template <>
struct WideOf<2> {
  using Type = double __attribute__((vector_size(16)));
};
template <>
struct WideOf<4> {
  using Type = double __attribute__((vector_size(32)));
};

template <class Wide>
[[gnu::always_inline]] inline void loadWide(Wide& wide, const double* from) {
  std::memcpy(&wide, from, sizeof(Wide));
}
template <class Wide>
[[gnu::always_inline]] inline void storeWide(double* to, const Wide& wide) {
  std::memcpy(to, &wide, sizeof(Wide));
}

/// Whether functions marked TENDRIL_AVX may run here.
inline bool processorHasAvx() {
#ifdef TENDRIL_AVX
  static const bool has = __builtin_cpu_supports("avx");
  return has;
#else
  return false;
#endif
}

}  // namespace tendril::solve
