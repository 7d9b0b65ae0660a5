#include "elastic/spring_kinds.h"

#include "elastic/dihedral.h"
#include "elastic/distance.h"

namespace tendril::elastic {

std::span<const SpringKind> springKinds() {
  // One line a kind.
  static constexpr SpringKind kinds[] = {
      kindOf<Distance>(),
      kindOf<Dihedral>(),
  };
  return kinds;
}

}  // namespace tendril::elastic
