#include "worker.hpp"

#include "attest/base/cpu_time.hpp"
#include "attest/claims/claim.hpp"
#include "attest/report/results.hpp"
#include "output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
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

std::optional<std::string> save_certificate(const Case& one, const Finding& finding, const RunOptions& options,
                                            const std::string& name) {
  if (!options.certificates || !finding.certificate) return std::nullopt;
  const std::filesystem::path file = *options.certificates / name;
  if (const auto fault = write_file(file, encode(*finding.certificate, one.problem).dump() + "\n"))
    throw std::runtime_error("the certificate could not be written: " + *fault);
  return file.string();
}

}  // namespace

void work(const Case& one, std::size_t first, std::size_t end, const RunOptions& options, const std::string& stem, int pipe) {
  const Messages messages(pipe);
  for (std::size_t k = first; k < end; ++k) {
    const double begin = cpu_seconds();
    messages.send({{"start", k}, {"cpu_seconds", begin}});
    const ClaimRequest& request = one.claims[k];
    const Claim& claim = *find_claim(request.claim);
    const Finding finding = claim.check({one.problem, request, claim_seed(options.seed, one, request),
                                         Budget(options.budget_seconds), messages.progress()});
    const double seconds = cpu_seconds() - begin;
    const auto file = save_certificate(one, finding, options, fmt::format("{}-{:02}-{}.json", stem, k, request.claim));
    messages.send({{"done", k}, {"entry", claim_entry(request, finding, file, seconds)}});
  }
}

}  // namespace attest
