// Messages from a scene's process to the one that reports: one line of JSON for each event.
#pragma once

#include <functional>
#include <string>

#include "cli/check_scene.h"

namespace tendril::cli {

/// A listener that sends each event as a line.
CheckListener sendingListener(const std::function<void(const std::string& line)>& send);

/// Passes an event received as a line to a listener. Throws std::exception if it is not one.
void receiveMessage(const std::string& line, const CheckListener& listener);

}  // namespace tendril::cli
