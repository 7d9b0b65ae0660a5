// Runs the built `tendril` as a user does, with what it printed and its exit code, in a folder that goes away.
#pragma once

#include <string>
#include <vector>

namespace tendril::test {

struct Output {
  int code = -1;  ///< exit code; 128 + signal where one ended it
  std::string out, err;
};

/// A folder of its own for one test, removed with everything in it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;  ///< "" where it is not there
  bool has(const std::string& name) const;
  /// Names in a folder inside, sorted, hidden ones too.
  std::vector<std::string> list(const std::string& name = "") const;

 private:
  std::string path_;
};

/// Runs the program with these words; `input` is its standard input. With `interruptAfter` [s] it gets a SIGINT then.
Output tendril(const std::vector<std::string>& words, const std::string& input = "", double interruptAfter = 0);

/// Rows of a CSV text as numbers, the header apart.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};
Table readTable(const std::string& text);

/// The scene that most tests run: a clamped silicone rod of 10 segments, 0.1 m long, sagging for 0.1 s in steps of 0.01
/// s. `extra` is added before the closing brace, starting with a comma.
std::string cantilever(const std::string& extra = "", const std::string& duration = "0.1");

}  // namespace tendril::test
