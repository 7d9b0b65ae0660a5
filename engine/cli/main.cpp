// The `tendril` program: finds the command, parses its words, runs it, and turns errors into exit codes.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/atomic_file.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/scene_input.h"
#include "text/words.h"

namespace {

using namespace tendril;
using namespace tendril::cli;

/// Connects a message to the reference to help.
const char* see(const std::string& words) { return words.ends_with('?') ? " See" : "; see"; }

bool asksForHelp(const std::string& word) { return word == "--help" || word == "-h"; }

/// Whether this is `--name` with a value, "--name=1".
bool givesValue(const std::string& word) {
  for (const char* name : {"--help=", "-h=", "--version="})
    if (word.starts_with(name)) return true;
  return false;
}

/// Help requested, as an option before any "--".
bool asksForHelp(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (asksForHelp(word)) return true;
  }
  return false;
}

int unknownCommand(const std::string& name) {
  std::vector<std::string> known;
  for (const CommandSpec& command : commands()) known.push_back(command.name);
  for (const std::string& later : laterCommands()) {
    if (later == name) {
      std::fprintf(stderr, "tendril: %s: not yet\n", name.c_str());
      return exitBadInput;
    }
  }
  const std::string nearest = text::nearestName(name, known);
  const std::string words =
      "unknown command \"" + printable(name) + "\"" + (nearest.empty() ? "" : "; did you mean " + nearest + "?");
  std::fprintf(stderr, "tendril: %s%s tendril --help\n", words.c_str(), see(words));
  return exitBadInput;
}

const CommandSpec* findCommand(const std::string& name) {
  for (const CommandSpec& command : commands())
    if (command.name == name) return &command;
  return nullptr;
}

int refuseValue(const std::string& word) {
  std::fprintf(stderr, "tendril: %s takes no value; see tendril --help\n", word.substr(0, word.find('=')).c_str());
  return exitBadInput;
}

/// `tendril help [COMMAND]`, from the words behind "help".
int printHelp(const std::vector<std::string>& words) {
  if (words.size() > 1) {
    std::fprintf(stderr, "tendril: help takes one COMMAND, but %zu words were given; see tendril --help\n",
                 words.size());
    return exitBadInput;
  }
  if (words.empty() || asksForHelp(words[0]) || words[0] == "help") {
    std::fputs(programHelp().c_str(), stdout);
    return exitDone;
  }
  const CommandSpec* command = findCommand(words[0]);
  if (!command) return unknownCommand(words[0]);
  std::fputs(command->help().c_str(), stdout);
  return exitDone;
}

int runWords(const CommandSpec& command, const std::vector<std::string>& words) {
  if (asksForHelp(words)) {
    std::fputs(command.help().c_str(), stdout);
    return exitDone;
  }
  const char* name = command.name.c_str();
  try {
    return command.run(command.parse(words));
  } catch (const UsageError& error) {
    const std::string words = printable(error.what());
    std::fprintf(stderr, "tendril %s: %s%s tendril %s --help\n", name, words.c_str(), see(words), name);
    return exitBadInput;
  } catch (const FileError& error) {
    std::fprintf(stderr, "tendril %s: %s\n", name, printable(error.what()).c_str());
    return exitBadInput;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "tendril %s: out of memory\n", name);
    return exitGaveUp;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tendril %s: internal error: %s\n", name, error.what());
    return exitGaveUp;
  }
}

}  // namespace

int main(int argc, char** argv) {
#ifdef M_ARENA_MAX
  // A second arena would reduce the memory for a scene, just for a line of progress.
  ::mallopt(M_ARENA_MAX, 1);
#endif
  makeWritesFail();
  endAtOnceWhereUnguarded();
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    std::fputs(programHelp().c_str(), stderr);
    return exitBadInput;
  }
  int code = exitDone;
  const std::vector<std::string> others(words.begin() + 1, words.end());
  const CommandSpec* found = findCommand(words[0] == "--version" ? "version" : words[0]);
  if (asksForHelp(words[0]) || words[0] == "help")
    code = printHelp(others);
  else if (givesValue(words[0]))
    code = refuseValue(words[0]);
  else
    code = found ? runWords(*found, others) : unknownCommand(words[0]);
  // Data that did not reach its reader (a full disk behind a redirection) must not look like success, nor like another
  // failure. Output before the last flush may have failed too.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "tendril: cannot write to standard output\n");
    return exitGaveUp;
  }
  return code;
}
