#pragma once

#include "command_line.hpp"

namespace attest {

Command verify_command();
Command audit_command();
Command track_command();
Command sweep_command();
Command report_command();
Command diff_command();
Command claims_command();
Command doctor_command();
Command help_command();
/// Completes what the program has, itself included.
Command completion_command(const Program& program);

}  // namespace attest
