#include "attest/graph/versions.hpp"

#include <coin-or/IpoptConfig.h>
#include <dlfcn.h>
#include <casadi/casadi.hpp>

#include <filesystem>

namespace attest {
namespace {

PluginStatus load(const std::string& kind, const std::string& name, void (*loader)(const std::string&)) {
  try {
    loader(name);
    return {kind, name, true, ""};
  } catch (const casadi::CasadiException& fault) {
    return {kind, name, false, fault.what()};
  }
}

}  // namespace

std::string casadi_version() { return casadi::CasadiMeta::version(); }

std::string ipopt_version() { return IPOPT_VERSION; }

std::string casadi_folder() {
  Dl_info library{};
  if (::dladdr(casadi::CasadiMeta::version(), &library) == 0 || !library.dli_fname) return "an unknown place";
  return std::filesystem::path(library.dli_fname).parent_path().string();
}

std::vector<PluginStatus> plugin_statuses() {
  return {load("nlpsol", "ipopt", casadi::load_nlpsol), load("conic", "qrqp", casadi::load_conic),
          load("conic", "daqp", casadi::load_conic), load("conic", "highs", casadi::load_conic)};
}

}  // namespace attest
