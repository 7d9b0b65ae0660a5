// A few doubles that the compiler keeps in one register, so that the solvers' inner loops need no flags and no
// intrinsics. Each lane does the same operations in the same order as one double would: results do not depend on the
// width.
#pragma once

#include <cstring>

namespace tendril::solve {

#if defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__)

using Pack = double __attribute__((vector_size(16)));
inline constexpr int packLanes = 2;

inline Pack spreadPack(double value) { return Pack{value, value}; }
inline double firstLane(Pack pack) { return pack[0]; }
inline void setFirstLane(Pack& pack, double value) { pack[0] = value; }

#else

using Pack = double;
inline constexpr int packLanes = 1;

inline Pack spreadPack(double value) { return value; }
inline double firstLane(Pack pack) { return pack; }
inline void setFirstLane(Pack& pack, double value) { pack = value; }

#endif

/// Loads and stores at any address that is aligned for a double.
inline Pack loadPack(const double* from) {
  Pack pack;
  std::memcpy(&pack, from, sizeof(Pack));
  return pack;
}
inline void storePack(double* to, Pack pack) { std::memcpy(to, &pack, sizeof(Pack)); }

}  // namespace tendril::solve
