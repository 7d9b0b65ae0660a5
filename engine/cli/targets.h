// What a call would write over by mistake: its own scene, or, where the name of a report was left out before a list of
// scenes, the first of them. Found before anything runs.
#pragma once

#include <string>
#include <vector>

namespace tendril::cli {

/// Whether two paths name one file, which need not be there.
bool isSameFile(const std::string& a, const std::string& b);

/// Throws UsageError where `target` of `option` is one of `inputs`, or is there and holds what looks like a scene.
void refuseToReplace(const std::string& option, const std::string& target, const std::vector<std::string>& inputs);

}  // namespace tendril::cli
