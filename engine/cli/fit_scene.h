// A scene's text with other values of its parameters, otherwise as it was written.
#pragma once

#include <map>
#include <string>

namespace tendril::cli {

/// Replaces the numbers of these parameters, which the scene has as plain numbers or as objects with a "value".
std::string withValues(const std::string& scene, const std::map<std::string, double>& values);

}  // namespace tendril::cli
