// What is wrong with a scene, as a value.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tendril {

/// One problem (or warning) of a scene text, with its location.
struct Problem {
  std::string message;   ///< what was found, what is expected and, for an unknown name, the nearest known one
  std::string pointer;   ///< JSON pointer of the value, "" for the whole text
  int line = 1;          ///< from 1
  int column = 1;        ///< Unicode code points, from 1
  std::size_t from = 0;  ///< UTF-16 offset of the value's first unit in the text, for editors
  std::size_t to = 0;    ///< UTF-16 offset past its last unit
};

/// "file:line:column: message (at /rods/arm/radius)", as the command line prints it.
std::string describe(const Problem& problem, const std::string& file);

/// The problems of an invalid scene, one or more; the last message says so where there are more than are listed.
using Problems = std::vector<Problem>;

}  // namespace tendril
