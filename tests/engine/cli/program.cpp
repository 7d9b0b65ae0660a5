// fork and exec rather than a shell, so that words arrive as they are.
#include "engine/cli/program.h"

#include <sys/wait.h>
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

Output tendril(const std::vector<std::string>& words, const std::string& input, double interruptAfter) {
  const Folder folder;
  folder.write("in", input);
  const std::string in = folder / "in", out = folder / "out", err = folder / "err";
  std::fflush(nullptr);  // the child must not inherit text that is still to be printed
  const ::pid_t child = ::fork();
  if (child == 0) {
    if (!std::freopen(in.c_str(), "rb", stdin) || !std::freopen(out.c_str(), "wb", stdout) ||
        !std::freopen(err.c_str(), "wb", stderr))
      ::_exit(127);
    std::vector<char*> argv = {const_cast<char*>(TENDRIL_PROGRAM)};
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execv(TENDRIL_PROGRAM, argv.data());
    ::_exit(127);
  }
  if (interruptAfter > 0) {
    std::this_thread::sleep_for(std::chrono::duration<double>(interruptAfter));
    ::kill(child, SIGINT);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Output result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = folder.read("out");
  result.err = folder.read("err");
  return result;
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
