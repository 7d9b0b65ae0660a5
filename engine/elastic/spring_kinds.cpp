#include "elastic/spring_kinds.h"

#include "elastic/distance.h"

namespace tendril::elastic {

std::span<const SpringKind> springKinds() {
  // One line a kind.
  static constexpr SpringKind kinds[] = {
      kindOf<Distance>(),
  };
  return kinds;
}

}  // namespace tendril::elastic
