// Runs the built `tendril` program from tests: real processes, with what it printed and its exit code, in a folder that
// goes away.
#pragma once

#include <functional>
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

/// Whether something comes true within two minutes, which a busy machine may need for what takes no time.
bool eventually(const std::function<bool()>& look);

/// What a started program finds: its standard input, where its standard output goes if not into the Output ("closed":
/// to nothing, nor does standard error), and limits as `ulimit` sets them (0: none).
struct Surroundings {
  std::string input, out;
  long fileBytes = 0, cpuSeconds = 0, openFiles = 0;
  /// What is in this folder shares a disk of so many bytes (tests/preload/small_disk.cpp).
  struct Disk {
    std::string folder;
    long bytes = 0;
  } disk;
};

/// A program that runs beside the test.
class Started {
 public:
  explicit Started(const std::vector<std::string>& words, const Surroundings& around = {});
  ~Started();  ///< kills what still runs
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  /// Waits until it and its children have spent so many seconds of a processor, which a busy machine gives late.
  void work(double seconds) const;
  void signal(int number) const;
  /// The process number of a child that has spent so many seconds of a processor, waiting for it; 0 where none comes.
  int child(double seconds = 0) const;
  Output wait();
  /// [s] of a processor that it and its children spent from the last signal to the end.
  double workedOn() const { return workedOn_; }

 private:
  Folder folder_;
  double spent() const;

  int process_ = 0;
  mutable double spentAtSignal_ = 0;
  double workedOn_ = 0;
};

/// Runs the program with these words; `input` is its standard input. With `interruptAfter` [s of a
/// processor] it gets a SIGINT then.
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
