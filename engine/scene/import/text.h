// Foreign text formats line by line: reading, numbers, and problems with their locations. Internal to the importers.
#pragma once

#include <string>
#include <string_view>

#include "tendril/problem.h"

namespace tendril::scene {

/// Reads the lines of a text, which must outlive it, and adds problems with their lines to a list.
class LineReader {
 public:
  LineReader(std::string_view text, Problems& problems);

  /// The next line without surrounding blanks; false at the end of the text, or after `stop` or too many problems.
  bool next(std::string_view& line);
  /// Number of the line returned by `next`, from 1.
  int line() const { return line_; }
  /// A problem on a part of that line; an empty part means the line.
  void add(std::string_view part, std::string message);
  /// A problem on an earlier line.
  void addAt(int line, std::string message);
  void stop() { stopped_ = true; }
  bool valid() const { return problems_.empty(); }

 private:
  Problem* fresh(int line, std::string message);
  void countUnits(std::size_t to);

  std::string_view text_;
  Problems& problems_;
  int line_ = 0;
  std::size_t begin_ = 0, next_ = 0;     ///< bytes: start of this line and of the next
  std::size_t counted_ = 0, units_ = 0;  ///< UTF-16 units of the bytes counted
  bool stopped_ = false;
};

/// Without surrounding blanks.
std::string_view trimmed(std::string_view text);

std::string lowered(std::string_view text);

/// A part of the text in quotes for a message: it may contain any bytes, but messages are plain ASCII here.
std::string shown(std::string_view text);

/// A finite decimal number that is the whole text; false if it is not one.
bool readDecimal(std::string_view text, double& out);

/// "1 field", "2 fields".
std::string countOf(std::size_t count, const std::string& what);

}  // namespace tendril::scene
