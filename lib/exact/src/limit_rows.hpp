#pragma once

#include "attest/exact/descent_limit.hpp"
#include "precise_ball.hpp"

#include <optional>
#include <span>
#include <vector>

namespace attest {

/// Numbers that the clauses of limits are made of, for balls and for doubles: one for each row a_c of the program, the solution
/// w = sum lambda_c a_c over its support S, the losses' slopes. [docs/certificate.md, section 4.22]
template <class Number>
struct LimitFigures {
  std::vector<std::size_t> sample;  ///< of a row, among those with rows
  std::size_t samples = 0;
  std::vector<bool> tight;           ///< theta_c = 1
  std::vector<std::size_t> support;  ///< rows with lambda_c > 0, ascending
  std::vector<Number> lambda;        ///< of the support
  std::vector<Number> gap;           ///< Delta_c
  std::vector<bool> gap_positive;
  std::vector<Number> theta;
  std::vector<Number> across;  ///< n_c: the norm of the part of a_c orthogonal to w
  std::vector<Number> length;  ///< |a_c|
  std::vector<Number> slope;   ///< b_i = -l'(gamma_i,alpha_i)/n, a sample
  Number w_squared;
  Number m0_over_n;  ///< M0/n: e_i = M0 H_i/(n b_i)
};

/// The rows as vectors and their products, in balls. A row is a vector D_c that is multiplied with an image: of a point p the point
/// itself, of a matrix W the product W z_i of the row's sample.
class ProgramRows {
 public:
  explicit ProgramRows(const SvmProgram& program) : program_(&program) {}

  const SvmProgram& program() const { return *program_; }
  std::size_t count() const { return program().row_count(); }
  std::size_t dimension() const { return program().dimension(); }
  bool over_weights() const { return program().kind() == SvmProgram::Kind::w; }

  /// Row c as balls.
  BallVector row(std::size_t c, slong bits) const;
  /// The product of two rows.
  PreciseBall product(std::size_t c, std::size_t e, slong bits) const;
  /// z_j.z_k of two samples with rows, by their places in the program.
  PreciseBall query_product(std::size_t j, std::size_t k, slong bits) const;

  /// a_c.p for all rows.
  std::vector<PreciseBall> values_at(const std::vector<Rational>& point, slong bits) const;
  std::vector<PreciseBall> values_at(const BallVector& prompt, slong bits) const;
  /// sum_e weight_e a_e.a_c for all rows c.
  std::vector<PreciseBall> values_of(std::span<const std::size_t> rows, const std::vector<PreciseBall>& weights, slong bits) const;

 private:
  std::vector<PreciseBall> values_of_images(const std::vector<BallVector>& images, slong bits) const;

  const SvmProgram* program_;
};

/// The same with the solution of the program.
class LimitRows : public ProgramRows {
 public:
  explicit LimitRows(const LimitFacts& facts);

  const LimitFacts& facts() const { return *facts_; }
  /// Nothing where a slope of the loss is not enclosed.
  const std::optional<LimitFigures<PreciseBall>>& figures() const { return figures_; }
  const std::vector<std::vector<PreciseBall>>& support_gram() const { return support_gram_; }

 private:
  std::optional<LimitFigures<PreciseBall>> compute() const;

  const LimitFacts* facts_;
  std::vector<std::vector<PreciseBall>> support_gram_;
  std::optional<LimitFigures<PreciseBall>> figures_;
};

/// What a double has of them.
LimitFigures<double> in_doubles(const LimitFigures<PreciseBall>& figures);

}  // namespace attest
