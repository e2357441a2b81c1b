#include "attest/graph/versions.hpp"
#include "commands.hpp"
#include "exit_code.hpp"

#include <flint/flint.h>
#include <fmt/format.h>
#include <Eigen/Core>
#include <boost/version.hpp>

#include <thread>

namespace attest {
namespace {

int print_diagnosis() {
  fmt::print("attest   {}\n", ATTEST_VERSION);
  fmt::print("CasADi   {} in {}\n", casadi_version(), casadi_folder());
  fmt::print("IPOPT    {}\n", ipopt_version());
  fmt::print("Eigen    {}.{}.{}\n", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
  fmt::print("FLINT    {}\n", FLINT_VERSION);
  fmt::print("Boost    {}.{}.{}\n", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100);
  fmt::print("threads  {}\n", std::thread::hardware_concurrency());
  bool all_load = true;
  for (const PluginStatus& plugin : plugin_statuses()) {
    fmt::print("plugin   {} {}: {}\n", plugin.kind, plugin.name, plugin.loads ? "loads" : "does not load");
    if (!plugin.loads) fmt::print("         {}\n", plugin.reason);
    all_load = all_load && plugin.loads;
  }
  if (all_load) return exit_code::success;
  fmt::print("A plugin that does not load: run scripts/run again; it installs the CasADi wheel and builds against it.\n");
  return exit_code::not_as_expected;
}

}  // namespace

Command doctor_command() {
  return {"doctor",
          "Versions, plugins and threads",
          {},
          R"(Example:
  attest doctor   ends with 1 when a solver plugin does not load)",
          print_diagnosis};
}

}  // namespace attest
