#pragma once

#include "attest/model/svm_program.hpp"

#include <map>
#include <vector>

namespace attest {

/// [TS] What makes the W-SVM feasible for every selection: in each sample the differences x_it - x_i1 are linearly
/// independent, and so are the queries.
struct WeightRanks {
  std::vector<std::size_t> tokens;  ///< of the differences, a sample
  std::size_t queries;
  bool independent;  ///< tokens[i] = T_i - 1 for all i, and queries = n
};

/// Exact ranks.
WeightRanks weight_ranks(const ExactTokens& tokens);

/// Whether (x_i,alpha_i - x_it).W z_i > 0 for all i and t != alpha_i, W a d x d matrix of integers by rows; a multiple of W
/// is then feasible.
bool separates(const ExactTokens& tokens, const Selection& selection, const std::vector<Integer>& W);

/// Matrices that separate the selections.
using Separators = std::map<Selection, std::vector<Integer>>;

}  // namespace attest
