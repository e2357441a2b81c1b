#include "kinds.hpp"

namespace attest {

WrittenCertificate written(const Certificate& certificate) {
  return std::visit([](const auto& kind) { return certified::write_kind(kind); }, certificate.kind());
}

}  // namespace attest
