#pragma once

#include "problem.hpp"

namespace attest::check {

// What the hypotheses of theorems rest on. All throw Rejected.

/// §4.15
void check_equal_scores(const Problem& problem, const Json& statement, const Json& witness);

/// §4.17
void check_better_neighbour(const Problem& problem, const Json& statement, const Json& witness);
void check_no_better_neighbour(const Problem& problem, const Json& statement, const Json& witness);
void check_independent_rows(const Problem& problem, const Json& statement, const Json& witness);

/// §4.18
void check_slack_tokens(const Problem& problem, const Json& statement, const Json& witness);
void check_no_slack_tokens(const Problem& problem, const Json& statement, const Json& witness);
void check_logistic_loss(const Problem& problem, const Json& statement, const Json& witness);
void check_not_logistic(const Problem& problem, const Json& statement, const Json& witness);

}  // namespace attest::check
