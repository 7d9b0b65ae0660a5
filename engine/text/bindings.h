// Names that a repeat binds to integers within a part of a text.
#pragma once

#include <map>
#include <string>

namespace tendril::text {

using Bindings = std::map<std::string, double>;

}  // namespace tendril::text
