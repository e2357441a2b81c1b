#pragma once

#include "attest/model/problem.hpp"

#include <optional>
#include <vector>

namespace attest {

/// A rational vector as integers over one positive denominator.
struct FractionVector {
  std::vector<Integer> numerators;
  Integer denominator = 1;
};

/// The values over their least common denominator.
FractionVector over_one_denominator(const std::vector<Rational>& values);

/// Tokens, keys and queries of a problem as integers, made when first asked for.
class ExactTokens {
 public:
  explicit ExactTokens(const Problem& problem);
  const Problem& problem() const { return *problem_; }
  const FractionVector& token(std::size_t sample, std::size_t token) const;
  const FractionVector& key(std::size_t sample, std::size_t token) const;  ///< W x
  const FractionVector& query(std::size_t sample) const;                   ///< [TS] self-attention without queries: x_i1

 private:
  using Table = std::vector<std::vector<std::optional<FractionVector>>>;
  const Problem* problem_;
  mutable Table tokens_;
  mutable Table keys_;
  mutable std::vector<std::optional<FractionVector>> queries_;
};

/// A row of a program by the name it has in reports: token t of sample i (for the v-SVM only the sample).
struct RowName {
  std::size_t sample;
  std::size_t token;
  bool operator==(const RowName&) const = default;
};

/// The tokens O_i that each sample selects: not empty, ascending.
using TokenSets = std::vector<std::vector<std::size_t>>;

/// min 1/2 |w|^2 subject to a_c.w >= b_c, one of the programs of docs/theory.md, section 2.
///
/// A row of the W-SVM is the matrix D z_i^T, D = x_i,alpha_i - x_it. It is never formed: `row` gives D, products of rows
/// are (D.D')(z.z'), and a point W = sum_k q_k z_k^T is given by its q_k, one after the other.
class SvmProgram {
 public:
  enum class Kind { p, v, joint, w };

  /// p-SVM: a = k_i,alpha_i - k_it for t != alpha_i, b = 1. With `samples` only over those: the partial
  /// programs of a census.
  static SvmProgram p_svm(const ExactTokens& tokens, Selection selection);
  static SvmProgram p_svm(const ExactTokens& tokens, Selection selection, std::vector<std::size_t> samples);
  /// v-SVM: a = Y_i x_i,alpha_i, b = 1.
  static SvmProgram v_svm(const ExactTokens& tokens, Selection selection);
  /// The p-SVM with b = 0 for samples outside S, the support vectors of the v-SVM.
  static SvmProgram joint_svm(const ExactTokens& tokens, Selection selection, const std::vector<bool>& in_support);
  /// W-SVM: a = (x_i,alpha_i - x_it) z_i^T, b = 1; the problem's own W plays no part.
  static SvmProgram w_svm(const ExactTokens& tokens, Selection selection);
  /// [TS] The generalised W-SVM of sets O_i: with alpha_i the first of O_i, rows of t in O_i are equalities a.w = 0, all
  /// others a.w >= 1. The rows of the other tokens of O_i follow from these.
  static SvmProgram w_svm(const ExactTokens& tokens, const TokenSets& sets);

  Kind kind() const { return kind_; }
  const Problem& problem() const { return tokens_->problem(); }
  const Selection& selection() const { return selection_; }
  const std::vector<std::size_t>& samples() const { return samples_; }
  std::size_t dimension() const { return problem().dimension(); }

  std::size_t row_count() const { return offsets_.back(); }
  RowName name(std::size_t row) const;
  /// The rows of the k-th of `samples` are first_row(k) … first_row(k+1) - 1.
  std::size_t first_row(std::size_t k) const { return offsets_[k]; }
  int bound(std::size_t row) const;
  /// Whether a.w = b is demanded.
  bool is_equality(std::size_t row) const { return !equalities_.empty() && equalities_[row]; }
  FractionVector row(std::size_t row) const;

  /// How many numbers a point has: d, or d for each sample of the W-SVM.
  std::size_t point_size() const { return kind_ == Kind::w ? samples_.size() * dimension() : dimension(); }
  /// W-SVM: the query of the k-th of `samples`.
  const FractionVector& query(std::size_t k) const { return tokens_->query(samples_[k]); }
  /// W-SVM: the product of the numerators of two queries.
  const Integer& query_product(std::size_t j, std::size_t k) const { return query_products_[j][k]; }
  /// Which of `samples` a row belongs to.
  std::size_t sample_position(std::size_t row) const;

 private:
  SvmProgram(Kind kind, const ExactTokens& tokens, Selection selection, std::vector<std::size_t> samples);

  Kind kind_;
  const ExactTokens* tokens_;
  Selection selection_;
  std::vector<std::size_t> samples_;
  std::vector<std::size_t> offsets_;
  std::vector<bool> relaxed_;     // joint: samples with b = 0
  std::vector<bool> equalities_;  // rows of generalised programs
  std::vector<std::vector<Integer>> query_products_;
};

/// The product of two integer vectors.
Integer dot(const std::vector<Integer>& a, const std::vector<Integer>& b);

}  // namespace attest
