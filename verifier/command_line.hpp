#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attest {

/// What an option's value must be: anything, what a function finds nothing to say against, a whole number of a range, one of some words.
struct WholeRange {
  unsigned least;
  unsigned most;
};
using ValueCheck = std::variant<std::monostate, std::string (*)(const std::string&), WholeRange, std::vector<std::string>>;

/// Where the value goes; a bool makes the option a flag.
using OptionTarget =
    std::variant<bool*, std::string*, std::vector<std::string>*, double*, std::optional<double>*, unsigned*, std::uint64_t*>;

/// An option or an argument of a command.
struct Option {
  std::string name;  ///< "--json"; of an argument "PATH"
  OptionTarget target;
  std::string about;
  std::string value = {};  ///< what the help calls the value: FILE
  ValueCheck check = {};
  bool required = false;
  bool tells_default = false;    ///< the help says what the target is at first
  bool comma_separated = false;  ///< one word may give several values
};

/// A subcommand.
struct Command {
  std::string name;
  std::string about;
  std::vector<Option> options;
  std::string examples;      ///< stand at the end of its help
  std::function<int()> run;  ///< called once the options' targets have their values; gives the exit code. Owns the targets.
};

/// The whole command line.
struct Program {
  std::string name;
  std::string about;
  std::string version;
  std::string examples;
  std::vector<Command> commands;
};

/// Reads the command line and runs the command that it names; help and bad usage are told here. Gives the exit code.
int run_program(const Program& program, int argc, char** argv);

}  // namespace attest
