// fork and exec rather than a shell, so that words arrive as they are.
#include "engine/cli/program.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace tendril::test {

namespace fs = std::filesystem;

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "tendril-test-XXXXXX").string();
  path_ = ::mkdtemp(name.data()) ? name : "";
}

Folder::~Folder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(*this / name, std::ios::binary) << text;
  return *this / name;
}

std::string Folder::read(const std::string& name) const {
  std::ifstream file(*this / name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool Folder::has(const std::string& name) const { return fs::exists(*this / name); }

std::vector<std::string> Folder::list(const std::string& name) const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(*this / name, ignored))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// [s] of a processor.
double spentBy(int process) {
  clockid_t clock;
  struct timespec time;
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct rlimit atMost(long value) {
  return {static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
}

/// From the stat files of /proc, which every Linux has; the list in /proc/N/task is an option of its kernel.
std::vector<int> childrenOf(int parent) {
  std::vector<int> found;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", ignored)) {
    const int process = std::atoi(entry.path().filename().c_str());
    if (process <= 0) continue;
    std::string text;
    std::getline(std::ifstream(entry.path() / "stat"), text, '\0');
    // "7 (name) S 5 ...": the name may hold anything.
    std::istringstream rest(text.substr(std::min(text.rfind(')'), text.size() - 1) + 1));
    std::string state;
    if (int above = 0; rest >> state >> above && above == parent && state != "Z") found.push_back(process);
  }
  return found;
}

}  // namespace

bool eventually(const std::function<bool()>& look) {
  for (const double until = secondsNow() + 120; secondsNow() < until;) {
    if (look()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

Started::Started(const std::vector<std::string>& words, const Surroundings& around) {
  folder_.write("in", around.input);
  const std::string in = folder_ / "in",
                    out = around.out.empty() || around.out == "closed" ? folder_ / "out" : around.out,
                    err = folder_ / "err";
  std::fflush(nullptr);  // the child must not inherit text that is still to be printed
  process_ = ::fork();
  if (process_ != 0) return;
  // Whoever runs the tests in the background may ignore it, and a program started so does too.
  std::signal(SIGINT, SIG_DFL);
  if (!std::freopen(in.c_str(), "rb", stdin) || !std::freopen(out.c_str(), "wb", stdout) ||
      !std::freopen(err.c_str(), "wb", stderr))
    ::_exit(127);
  if (around.out == "closed") ::close(STDOUT_FILENO), ::close(STDERR_FILENO);
  const struct rlimit file = atMost(around.fileBytes), cpu = atMost(around.cpuSeconds),
                      files = atMost(around.openFiles), core = atMost(0);
  if (around.fileBytes > 0) ::setrlimit(RLIMIT_FSIZE, &file);
  if (around.cpuSeconds > 0) ::setrlimit(RLIMIT_CPU, &cpu);
  if (around.openFiles > 0) {
    for (int file = 3; file < 1024; ++file) ::close(file);  // what a test runner leaves open would count
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  ::setrlimit(RLIMIT_CORE, &core);
  if (around.disk.bytes > 0) {
    ::setenv("LD_PRELOAD", TENDRIL_SMALL_DISK, 1);
    ::setenv("SMALL_DISK_FOLDER", around.disk.folder.c_str(), 1);
    ::setenv("SMALL_DISK_BYTES", std::to_string(around.disk.bytes).c_str(), 1);
    ::setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);  // a sanitized program would not start after it
  }
  std::vector<char*> argv = {const_cast<char*>(TENDRIL_PROGRAM)};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(TENDRIL_PROGRAM, argv.data());
  ::_exit(127);
}

Started::~Started() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

double Started::spent() const {
  double sum = spentBy(process_);
  for (const int child : childrenOf(process_)) sum += spentBy(child);
  return sum;
}

void Started::work(double seconds) const {
  eventually([&] { return spent() >= seconds; });
}

void Started::signal(int number) const {
  spentAtSignal_ = spent();
  ::kill(process_, number);
}

int Started::child(double seconds) const {
  int found = 0;
  eventually([&] {
    for (const int child : childrenOf(process_))
      if (spentBy(child) >= seconds) found = child;
    return found != 0;
  });
  return found;
}

Output Started::wait() {
  int status = 0;
  struct rusage used;
  ::wait4(process_, &status, 0, &used);
  const auto seconds = [](const struct timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  workedOn_ = seconds(used.ru_utime) + seconds(used.ru_stime) - spentAtSignal_;
  process_ = 0;
  Output result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = folder_.read("out");
  result.err = folder_.read("err");
  return result;
}

Output tendril(const std::vector<std::string>& words, const std::string& input, double interruptAfter) {
  Surroundings around;
  around.input = input;
  Started program(words, around);
  if (interruptAfter > 0) {
    program.work(interruptAfter);
    program.signal(SIGINT);
  }
  return program.wait();
}

Table readTable(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  std::string line, cell;
  std::getline(lines, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) table.names.push_back(cell);
  while (std::getline(lines, line)) {
    table.rows.emplace_back();
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      table.rows.back().push_back(std::strtod(cell.c_str(), nullptr));
  }
  return table;
}

std::string cantilever(const std::string& extra, const std::string& duration) {
  return R"({
  "format": "tendril/1", "title": "Sagging arm",
  "parameters": {"E": {"value": 2e6, "min": 1e5, "max": 1e9}, "g": 9.81},
  "materials": {"silicone": {"youngs": "=E", "poisson": 0.5, "density": 1200}},
  "rods": {"arm": {"section": {"circle": {"radius": 1e-3}}, "segments": 10,
                   "path": {"line": {"from": [0,0,0], "to": [0.1,0,0]}}}},
  "constraints": [{"clamp": "arm:first"}],
  "environment": {"gravity": [0, 0, "=-g"]},
  "solver": {"dt": 0.01, "duration": )" +
         duration + R"(},
  "probes": {"tip": {"position": "arm:last"}, "energy": {"energy": "total"}},
  "states": {"I": {"rate": "=tip.z", "initial": 0}})" +
         extra + "\n}\n";
}

}  // namespace tendril::test
