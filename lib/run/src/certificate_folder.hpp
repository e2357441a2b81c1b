#pragma once

#include "attest/claims/finding.hpp"
#include "attest/report/results.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace attest {

/// Writes the certificates of a case. Each file holds the whole data: what hypotheses share, as theorems do the bounds of the loss, and
/// what claims say of the same run is written once.
class CertificateFolder {
 public:
  /// Without a folder nothing is written.
  CertificateFolder(const Problem& problem, std::optional<std::filesystem::path> folder) : problem_(problem), folder_(std::move(folder)) {}

  /// The claim's own certificate has the claim's name; a hypothesis or a run may bring one that is there already.
  CertificateFiles save(const Finding& finding, const std::string& stem);

 private:
  /// The file that holds it, written now unless there is one; none of none.
  std::optional<std::string> once(const std::optional<Certificate>& certificate, const std::string& name);
  std::string write(const Certificate& certificate, const std::string& name);

  const Problem& problem_;
  std::optional<std::filesystem::path> folder_;
  std::map<std::string, std::string> written_;  // files by all that they hold but the data
};

}  // namespace attest
