#include "attest/graph/casadi/excess_graph.hpp"

#include "attest/graph/casadi/eigen.hpp"
#include "loss_graph.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace attest {
namespace {

using casadi::DM;
using casadi::Function;
using casadi::MX;
using casadi::Slice;
using casadi::Sparsity;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Stands for an exponent of minus infinity, which would give NaN in differences.
constexpr double no_exponent = -1e300;

/// The rows a_it, sample by sample, of the samples that have any.
struct Rows {
  MatrixXd a;                        // a row a line
  std::vector<std::size_t> samples;  // those with more than one token
  std::vector<casadi_int> offsets;   // the rows of the k-th of them are offsets[k] .. offsets[k+1] - 1
};

Rows rows_of(const NumericProblem& problem, const Selection& selection) {
  Rows rows;
  rows.offsets.push_back(0);
  for (std::size_t i = 0; i < problem.keys.size(); ++i) {
    if (problem.keys[i].cols() < 2) continue;
    rows.samples.push_back(i);
    rows.offsets.push_back(rows.offsets.back() + problem.keys[i].cols() - 1);
  }
  rows.a.resize(rows.offsets.back(), problem.dimension);
  Index row = 0;
  for (const std::size_t i : rows.samples) {
    const auto chosen = static_cast<Index>(selection[i]);
    for (Index t = 0; t < problem.keys[i].cols(); ++t)
      if (t != chosen) rows.a.row(row++) = (problem.keys[i].col(chosen) - problem.keys[i].col(t)).transpose();
  }
  return rows;
}

/// Row count x sample count, 1 where the row belongs to the sample.
DM membership(const Rows& rows) {
  std::vector<casadi_int> row_indices;
  for (casadi_int row = 0; row < rows.offsets.back(); ++row) row_indices.push_back(row);
  return DM::ones(Sparsity(rows.offsets.back(), static_cast<casadi_int>(rows.samples.size()), rows.offsets, row_indices));
}

/// Row count x row count, 1 for the other rows of the same sample.
DM other_rows(const Rows& rows) {
  const DM member = membership(rows);
  return DM::sparsify(mtimes(member, member.T()) - DM::eye(rows.offsets.back()));
}

/// The formulas of the header, node by node; E is the excess of the sum over samples, not their mean.
struct Formulas {
  MX log_excess;
  MX gradient;  // of log E in q
  MX hessian;   // of log E in q

  Formulas(const Rows& rows, const Loss& loss, const MX& q, const MX& radius, const MX& gamma, const MX& gaps) {
    const MX a = MX(to_dm(rows.a));
    const MX member = MX(membership(rows));
    const MX z = -radius * mtimes(a, q);
    const MX denominators = log_denominators(z, rows);
    const MX log_s = z - mtimes(member, denominators);
    const MX s = exp(log_s);
    const MX G = mtimes(member.T(), gaps * s);
    const MX u = gamma - G;
    const MX exponents = log_s + mtimes(member, log_mean_slope_graph(loss, gamma, G));
    const MX shift = mmax(MX::if_else(gaps == 0, no_exponent, exponents));
    log_excess = shift + log(dot(gaps, exp(exponents - shift)));

    // d E_i / d z_it = -l'(u_i) s_it (delta_it - G_i), and omega is this over E. The difference is summed over the other
    // tokens: where token t has nearly all the attention, delta_it and G_i agree in all their digits.
    const MX others = MX(other_rows(rows));
    const MX elsewhere = mtimes(others, s) + mtimes(member, exp(-denominators));  // 1 - s_it
    const MX centred = gaps * elsewhere - mtimes(others, gaps * s);
    const MX omega = exp(log_s + mtimes(member, log_slope_graph(loss, u)) - log_excess) * centred;
    gradient = -radius * mtimes(a.T(), omega);

    // Per sample: diag(omega) - s omega^T - omega s^T + (l''/l'^2) E omega omega^T; over all: minus omega omega^T.
    const MX omega_keys = mtimes(a.T(), member * repmat(omega, 1, member.size2()));  // d x n
    const MX s_keys = mtimes(a.T(), member * repmat(s, 1, member.size2()));
    const MX curvature = scaled_curvature_graph(loss, u, log_excess);
    const MX crossed = mtimes(s_keys, omega_keys.T());
    const MX bent = omega_keys * repmat(curvature.T(), a.size2(), 1);
    const MX total = mtimes(a.T(), omega);
    hessian =
        radius * radius *
        (mtimes(a.T(), a * repmat(omega, 1, a.size2())) - crossed - crossed.T() + mtimes(bent, omega_keys.T()) - mtimes(total, total.T()));
  }

  /// log(1 + sum_t exp z_it) for each sample.
  static MX log_denominators(const MX& z, const Rows& rows) {
    std::vector<MX> denominators;
    for (const MX& of_sample : vertsplit(z, rows.offsets)) {
      const MX shift = fmax(mmax(of_sample), 0);  // by hand: CasADi's logsumexp has no scalar form
      denominators.push_back(shift + log(exp(-shift) + sum1(exp(of_sample - shift))));
    }
    return vertcat(denominators);
  }
};

/// The first output of a function of (x, p), evaluated without CasADi's matrices in between.
class Evaluator {
 public:
  Evaluator() = default;
  explicit Evaluator(const Function& function)
      : function_(function), arguments_(function.sz_arg()), results_(function.sz_res()), integers_(function.sz_iw()),
        work_(function.sz_w()), output_(function.nnz_out(0)) {}

  const VectorXd& operator()(const VectorXd& q, const VectorXd& parameters) {
    arguments_[0] = q.data();
    arguments_[1] = parameters.data();
    results_[0] = output_.data();
    function_(arguments_.data(), results_.data(), integers_.data(), work_.data(), 0);
    return output_;
  }

 private:
  Function function_;
  std::vector<const double*> arguments_;
  std::vector<double*> results_;
  std::vector<casadi_int> integers_;
  std::vector<double> work_;
  VectorXd output_;
};

}  // namespace

struct ExcessGraph::Parts {
  Rows rows;
  Selection selection;
  std::vector<MatrixXd> scored;  // Y_i X_i^T of the samples with rows
  MX q;
  MX parameters;
  MX f;
  MX f_gradient;
  MX f_hessian;
  Evaluator value;
  Evaluator stacked;  // f, gradient, hessian in one column
};

ExcessGraph::ExcessGraph(const NumericProblem& problem, const Selection& selection) : parts_(std::make_unique<Parts>()) {
  parts_->rows = rows_of(problem, selection);
  parts_->selection = selection;
  for (const std::size_t i : parts_->rows.samples) parts_->scored.push_back(problem.labels[i] * problem.tokens[i]);

  const auto samples = static_cast<casadi_int>(parts_->rows.samples.size());
  const casadi_int row_count = parts_->rows.offsets.back();
  const MX q = MX::sym("q", problem.dimension);
  const MX parameters = MX::sym("parameters", 1 + samples + row_count);
  const MX radius = parameters(0);
  const Formulas formulas(parts_->rows, problem.loss, q, radius, parameters(Slice(1, 1 + samples)),
                          parameters(Slice(1 + samples, 1 + samples + row_count)));
  const MX f = (formulas.log_excess - std::log(static_cast<double>(problem.tokens.size()))) / radius;
  const MX gradient = formulas.gradient / radius;
  const MX hessian = MX::densify(formulas.hessian / radius);
  parts_->q = q;
  parts_->parameters = parameters;
  parts_->f = f;
  parts_->f_gradient = gradient;
  parts_->f_hessian = hessian;
  parts_->value = Evaluator(Function("excess_value", {q, parameters}, {f}));
  parts_->stacked = Evaluator(Function("excess_jet", {q, parameters}, {vertcat(f, gradient, vec(hessian))}));
}

ExcessGraph::~ExcessGraph() = default;
ExcessGraph::ExcessGraph(ExcessGraph&&) noexcept = default;
ExcessGraph& ExcessGraph::operator=(ExcessGraph&&) noexcept = default;

VectorXd ExcessGraph::parameters(const VectorXd& v, double radius) const {
  const auto samples = static_cast<Index>(parts_->scored.size());
  VectorXd result(1 + samples + parts_->rows.a.rows());
  result[0] = radius;
  Index row = 1 + samples;
  for (Index k = 0; k < samples; ++k) {
    const MatrixXd& scored = parts_->scored[static_cast<std::size_t>(k)];
    const auto chosen = static_cast<Index>(parts_->selection[parts_->rows.samples[static_cast<std::size_t>(k)]]);
    result[1 + k] = scored.col(chosen).dot(v);
    for (Index t = 0; t < scored.cols(); ++t)
      if (t != chosen) result[row++] = (scored.col(chosen) - scored.col(t)).dot(v);
  }
  return result;
}

double ExcessGraph::value(const VectorXd& q, const VectorXd& parameters) const { return parts_->value(q, parameters)[0]; }

ExcessGraph::Jet ExcessGraph::jet(const VectorXd& q, const VectorXd& parameters) const {
  const Index d = q.size();
  const VectorXd& stacked = parts_->stacked(q, parameters);
  return {stacked[0], stacked.segment(1, d), Eigen::Map<const MatrixXd>(stacked.data() + 1 + d, d, d)};
}

Function ExcessGraph::program() const {
  return {"excess", {parts_->q, parts_->parameters}, {parts_->f, dot(parts_->q, parts_->q)}, {"x", "p"}, {"f", "g"}};
}

Function ExcessGraph::gradient() const {
  return {"excess_gradient", {parts_->q, parts_->parameters}, {parts_->f, parts_->f_gradient}, {"x", "p"}, {"f", "grad_f_x"}};
}

Function ExcessGraph::lagrangian_hessian() const {
  const MX f_multiplier = MX::sym("lam_f");
  const MX g_multiplier = MX::sym("lam_g");
  const MX hessian = f_multiplier * parts_->f_hessian + 2 * g_multiplier * MX(DM::eye(parts_->q.size1()));
  return {"excess_hessian",
          {parts_->q, parts_->parameters, f_multiplier, g_multiplier},
          {triu(hessian)},
          {"x", "p", "lam_f", "lam_g"},
          {"triu_hess_gamma_x_x"}};
}

}  // namespace attest
