#pragma once

namespace CLI {
class App;
}

namespace attest {

// Each adds one subcommand, which sets `code` to the exit code when it ran.
void add_verify_command(CLI::App& app, int& code);
void add_audit_command(CLI::App& app, int& code);
void add_report_command(CLI::App& app, int& code);
void add_claims_command(CLI::App& app, int& code);
void add_doctor_command(CLI::App& app, int& code);
void add_help_command(CLI::App& app, int& code);
/// Added last: it completes what is there.
void add_completion_command(CLI::App& app, int& code);

}  // namespace attest
