#pragma once

#include <string>
#include <vector>

namespace attest {

std::string casadi_version();
std::string ipopt_version();
std::string casadi_folder();

/// A CasADi plugin that attest uses and whether it loads here.
struct PluginStatus {
  std::string kind;  ///< "nlpsol" or "conic"
  std::string name;
  bool loads;
  std::string reason;  ///< why not
};
std::vector<PluginStatus> plugin_statuses();

}  // namespace attest
