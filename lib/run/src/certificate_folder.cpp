#include "certificate_folder.hpp"

#include "attest/certificate/codec.hpp"
#include "attest/report/write_file.hpp"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>
#include <string_view>

namespace attest {
namespace {

/// What may stand in a file name: small letters and digits, with a - for anything between.
std::string file_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0)
      word += static_cast<char>(std::tolower(byte));
    else if (!word.empty() && word.back() != '-')
      word += '-';
  }
  return word;
}

std::string key_of(const Certificate& certificate) {
  const WrittenCertificate text = written(certificate);
  return text.claim + text.statement.dump() + text.witness.dump();
}

}  // namespace

CertificateFiles CertificateFolder::save(const Finding& finding, const std::string& stem) {
  CertificateFiles files;
  if (!folder_) return files;
  if (finding.certificate) files.claim = write(*finding.certificate, stem + ".json");
  for (std::size_t k = 0; k < finding.run_certificates.size(); ++k)
    files.runs.push_back(once(finding.run_certificates[k], fmt::format("{}-r{}.json", stem, k)));
  for (std::size_t k = 0; k < finding.hypotheses.size(); ++k) {
    const Hypothesis& one = finding.hypotheses[k];
    files.hypotheses.push_back(once(one.certificate, fmt::format("{}-h{}-{}.json", stem, k, file_word(name_of(one.id)))));
  }
  return files;
}

std::optional<std::string> CertificateFolder::once(const std::optional<Certificate>& certificate, const std::string& name) {
  if (!certificate) return std::nullopt;
  const auto known = written_.find(key_of(*certificate));
  return known != written_.end() ? known->second : write(*certificate, name);
}

std::string CertificateFolder::write(const Certificate& certificate, const std::string& name) {
  const std::filesystem::path file = *folder_ / name;
  const auto text = [&](const TextSink& sink) {
    write_text(certificate, problem_, sink);
    sink("\n");
  };
  if (const auto fault = write_file(file, text)) throw std::runtime_error("the certificate could not be written: " + *fault);
  written_[key_of(certificate)] = file.string();
  return file.string();
}

}  // namespace attest
