// How a model works on one part of its system: vectors cut out and put back, and the system entered and left.
#pragma once

#include "rods_shells/terms/system.h"

namespace tendril::rods_shells {

/// Entries of a whole vector at a part's unknowns, and back.
inline void gather(const VectorX& whole, const std::vector<int>& unknowns, VectorX& part) {
  part.resize(static_cast<Eigen::Index>(unknowns.size()));
  for (std::size_t k = 0; k < unknowns.size(); ++k) part[static_cast<Eigen::Index>(k)] = whole[unknowns[k]];
}

inline void scatter(const VectorX& part, const std::vector<int>& unknowns, VectorX& whole) {
  for (std::size_t k = 0; k < unknowns.size(); ++k) whole[unknowns[k]] = part[static_cast<Eigen::Index>(k)];
}

/// The system is at one part, until this ends.
struct AtPart {
  AtPart(System& system, int part) : system(system) { system.enter(part); }
  ~AtPart() { system.enter(-1); }
  AtPart(const AtPart&) = delete;
  System& system;
};

}  // namespace tendril::rods_shells
