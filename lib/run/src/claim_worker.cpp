#include "claim_worker.hpp"

#include "attest/base/cpu_time.hpp"
#include "attest/claims/claim.hpp"
#include "attest/report/results.hpp"
#include "attest/run/trace_files.hpp"
#include "certificate_folder.hpp"
#include "claim_seed.hpp"
#include "decided_codec.hpp"

#include <fmt/format.h>

#include <chrono>

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

/// Progress is told at most this often.
constexpr auto progress_interval = std::chrono::milliseconds(100);

Progress progress_to(const MessageStream& parent) {
  return [&parent, last = Clock::time_point()](double fraction, std::string_view what) mutable {
    const auto now = Clock::now();
    if (now - last < progress_interval) return;
    last = now;
    parent.send({{"progress", {fraction, what}}});
  };
}

class ClaimWorker {
 public:
  ClaimWorker(const ClaimSource& claims, const RunOptions& options, const MessageStream& parent)
      : claims_(claims), options_(options), parent_(parent), study_(claims.source->problem),
        certificates_(claims.source->problem, options.certificates) {}

  void check(std::size_t k) {
    const Case& one = *claims_.source;
    const ClaimRequest& request = one.claims[k];
    const double begin = cpu_seconds();
    const Finding finding = find_claim(request.claim)
                                ->check({study_, request, claim_seed(options_.seed, one.name, request.claim),
                                         Budget(options_.budget_seconds), progress_to(parent_)});
    const double seconds = cpu_seconds() - begin;
    if (options_.trace && !finding.recorded_runs.empty()) write_traces(finding.recorded_runs, trace_files(*options_.trace, request));
    const CertificateFiles files = save(finding, fmt::format("{}-{:02}-{}", claims_.stem, k, request.claim));
    parent_.send({{"done", k},
                  {"entry", claim_entry(request, finding, files, seconds)},
                  {"decided", encode_decided(decided_claim(request, finding))}});
  }

 private:
  /// Claims that any worker may get name their files alike, whoever checks them.
  CertificateFiles save(const Finding& finding, const std::string& stem) {
    return claims_.in_order ? certificates_.save(finding, stem)
                            : CertificateFolder(claims_.source->problem, options_.certificates).save(finding, stem);
  }

  const ClaimSource& claims_;
  const RunOptions& options_;
  const MessageStream& parent_;
  Study study_;
  CertificateFolder certificates_;
};

}  // namespace

void check_claims(const ClaimSource& claims, const RunOptions& options, MessageStream& parent) {
  ClaimWorker worker(claims, options, parent);
  while (const auto requests = parent.receive())
    for (const Json& request : *requests) worker.check(request.at("claim").get<std::size_t>());
}

}  // namespace attest
