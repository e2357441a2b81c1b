#include "worker.hpp"

#include "attest/base/cpu_time.hpp"
#include "attest/claims/claim.hpp"
#include "attest/report/results.hpp"
#include "output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <chrono>
#include <map>
#include <new>
#include <stdexcept>

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

/// Progress is told at most this often.
constexpr auto progress_interval = std::chrono::milliseconds(100);

class Messages {
 public:
  explicit Messages(int pipe) : pipe_(pipe) {}

  void send(const Json& message) const {
    // Messages may hold text from outside; what is not UTF-8 is replaced, never thrown at.
    const std::string line = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    std::string_view rest = line;
    while (!rest.empty()) {
      const ssize_t written = ::write(pipe_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) ::_exit(1);  // the parent is gone
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  Progress progress() const {
    return [this, last = Clock::time_point()](double fraction, std::string_view what) mutable {
      const auto now = Clock::now();
      if (now - last < progress_interval) return;
      last = now;
      send({{"progress", {fraction, what}}});
    };
  }

 private:
  int pipe_;
};

/// A seed of its own for each claim, so that --only does not change what a claim draws.
std::uint64_t claim_seed(std::uint64_t seed, const Case& one, const ClaimRequest& request) {
  std::uint64_t hash = 14695981039346656037ULL ^ seed;  // FNV-1a
  for (const char c : one.name + '\n' + request.claim) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

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

/// Writes the certificates of a case. Each file holds the whole data: what hypotheses share, as theorems do the bounds of the loss, is
/// written once.
class CertificateFolder {
 public:
  CertificateFolder(const Case& one, const RunOptions& options) : case_(one), options_(options) {}

  /// The claim's own certificate has the claim's name; a hypothesis may bring one that is there already.
  CertificateFiles save(const Finding& finding, const std::string& stem) {
    CertificateFiles files;
    if (!options_.certificates) return files;
    if (finding.certificate) files.claim = write(*finding.certificate, stem + ".json");
    for (std::size_t k = 0; k < finding.hypotheses.size(); ++k) {
      const auto& [name, verdict, grade, message, certificate] = finding.hypotheses[k];
      files.hypotheses.emplace_back();
      if (!certificate) continue;
      const auto known = written_.find(key_of(*certificate));
      files.hypotheses.back() =
          known != written_.end() ? known->second : write(*certificate, fmt::format("{}-h{}-{}.json", stem, k, file_word(name)));
    }
    return files;
  }

 private:
  static std::string key_of(const Certificate& certificate) {
    return certificate.claim + certificate.statement.dump() + certificate.witness.dump();
  }

  std::string write(const Certificate& certificate, const std::string& name) {
    const std::filesystem::path file = *options_.certificates / name;
    if (const auto fault = write_file(file, encode(certificate, case_.problem).dump() + "\n"))
      throw std::runtime_error("the certificate could not be written: " + *fault);
    written_[key_of(certificate)] = file.string();
    return file.string();
  }

  const Case& case_;
  const RunOptions& options_;
  std::map<std::string, std::string> written_;  // files by all that they hold but the data
};

}  // namespace

void work(const Case& one, std::size_t first, std::size_t end, const RunOptions& options, const std::string& stem, int pipe) {
  const Messages messages(pipe);
  CertificateFolder certificates(one, options);
  for (std::size_t k = first; k < end; ++k) {
    const double begin = cpu_seconds();
    messages.send({{"start", k}, {"cpu_seconds", begin}});
    const ClaimRequest& request = one.claims[k];
    const Claim& claim = *find_claim(request.claim);
    const Finding finding = claim.check({one.problem, request, claim_seed(options.seed, one, request),
                                         Budget(options.budget_seconds), messages.progress()});
    const double seconds = cpu_seconds() - begin;
    const CertificateFiles files = certificates.save(finding, fmt::format("{}-{:02}-{}", stem, k, request.claim));
    messages.send({{"done", k}, {"entry", claim_entry(request, finding, files, seconds)}});
  }
}

}  // namespace attest
