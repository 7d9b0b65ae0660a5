// Protects files that a call would overwrite by mistake: its own scene or, if the name of a report was left out before
// a list of scenes, the first of them. Checked before anything runs.
#pragma once

#include <string>
#include <vector>

namespace tendril::cli {

/// Whether two paths name the same file, which need not exist.
bool isSameFile(const std::string& a, const std::string& b);

/// Throws UsageError where `target` of `option` is one of `inputs`, or exists and looks like a scene.
void refuseToReplace(const std::string& option, const std::string& target, const std::vector<std::string>& inputs);

}  // namespace tendril::cli
