#pragma once

#include "attest/certificate/codec.hpp"

namespace attest::certified {

// Certificates from brackets (docs/certificate.md, 4.31).

WrittenCertificate write_bracket(const SvmBracket& kind);
WrittenCertificate write_bracket(const BracketedOptimum& kind);
WrittenCertificate write_bracket(const BracketedRival& kind);

}  // namespace attest::certified
