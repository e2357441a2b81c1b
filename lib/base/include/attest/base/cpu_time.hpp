#pragma once

namespace attest {

/// The CPU time that this process has used so far, all its threads together.
double cpu_seconds();

}  // namespace attest
