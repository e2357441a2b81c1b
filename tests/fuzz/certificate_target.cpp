// attest-check: any file is accepted or rejected for a reason.
#include "rules.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace attest;
  try {
    const check::JsonDocument document = check::JsonDocument::parse(fuzz::text_of(bytes, size));
    const check::Accepted accepted = check::check_certificate(document.root(), nullptr);
    fuzz::require_clear(accepted.kind + accepted.claim);
  } catch (const check::Rejected& why) {
    fuzz::require_clear(why.what());
  }
  return 0;
}
