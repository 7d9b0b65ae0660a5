// What a scene's process tells the one that reports: one line of JSON for each event.
#pragma once

#include <functional>
#include <string>

#include "cli/check_scene.h"

namespace tendril::cli {

/// A listener that sends each event on as a line.
CheckListener sendingListener(const std::function<void(const std::string& line)>& send);

/// Gives an event that came as a line to a listener. Throws std::exception: it is none.
void receiveMessage(const std::string& line, const CheckListener& listener);

}  // namespace tendril::cli
