#pragma once

#include "attest/model/case_file.hpp"
#include "attest/run/run_options.hpp"
#include "message_stream.hpp"

#include <string>

namespace attest {

/// What a worker process checks claims of.
struct ClaimSource {
  const Case* source = nullptr;
  std::string stem;      ///< begins the names of the case's certificate files
  bool in_order = true;  ///< one worker checks all claims: a hypothesis may name a file that an earlier claim wrote
};

/// What a worker process does: checks the claims that its parent asks for by {"claim": k}, one after the other, and says
/// {"progress": [fraction, what]} and at last {"done": k, "entry": {…}, "decided": {…}} of each. The claims share one study.
void check_claims(const ClaimSource& claims, const RunOptions& options, MessageStream& parent);

}  // namespace attest
