// Every kind of spring between places of bodies.
#pragma once

#include <span>

#include "elastic/vector_strain.h"

namespace tendril::elastic {

/// Their numbers are those of scene::Spring::kind. Listed in spring_kinds.cpp.
std::span<const SpringKind> springKinds();

}  // namespace tendril::elastic
