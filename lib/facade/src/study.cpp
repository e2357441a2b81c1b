#include "inner.hpp"

#include "attest/certificate/codec.hpp"
#include "attest/exact/certificates.hpp"
#include "attest/report/descriptor.hpp"
#include "attest/report/evidence_json.hpp"
#include "inner_problem.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
inline namespace v1 {
namespace {

// The two enumerations are one: what stands at a place here stands there too.
static_assert(static_cast<int>(Verdict::holds) == static_cast<int>(inner::Verdict::holds));
static_assert(static_cast<int>(Verdict::fails) == static_cast<int>(inner::Verdict::fails));
static_assert(static_cast<int>(Verdict::undecided) == static_cast<int>(inner::Verdict::undecided));
static_assert(static_cast<int>(Verdict::inapplicable) == static_cast<int>(inner::Verdict::inapplicable));
static_assert(static_cast<int>(Grade::observed) == static_cast<int>(inner::Grade::observed));
static_assert(static_cast<int>(Grade::proved) == static_cast<int>(inner::Grade::proved));

Verdict outer(inner::Verdict verdict) { return static_cast<Verdict>(verdict); }
Grade outer(inner::Grade grade) { return static_cast<Grade>(grade); }

std::string text_if_any(const std::optional<Certificate>& certificate, const inner::Problem& problem) {
  return certificate ? text_of(*certificate, problem) : "";
}

Finding outer(const inner::Finding& finding, const inner::Problem& problem) {
  Finding result{outer(finding.verdict),
                 outer(finding.grade),
                 finding.message,
                 to_json(finding.evidence).dump(),
                 finding.selection,
                 {},
                 text_if_any(finding.certificate, problem)};
  for (const auto& one : finding.run_certificates) result.run_certificates.push_back(text_if_any(one, problem));
  for (const inner::Hypothesis& one : finding.hypotheses)
    result.hypotheses.push_back(
        {std::string(name_of(one.id)), outer(one.verdict), outer(one.grade), one.message, text_if_any(one.certificate, problem)});
  return result;
}

inner::Program::Kind kind_of(SvmProgram program) {
  switch (program) {
    case SvmProgram::p: return inner::Program::Kind::p;
    case SvmProgram::v: return inner::Program::Kind::v;
    case SvmProgram::joint: return inner::Program::Kind::joint;
    case SvmProgram::W: return inner::Program::Kind::w;
  }
  return inner::Program::Kind::p;
}

std::vector<std::vector<std::size_t>> names_of(const inner::Program& program, const std::vector<std::size_t>& rows) {
  std::vector<std::vector<std::size_t>> names;
  for (const std::size_t row : rows) {
    const auto [i, t] = program.name(row);
    names.push_back(program.kind() == inner::Program::Kind::v ? std::vector{i} : std::vector{i, t});
  }
  return names;
}

Svm outer(const SolvedSvm& svm, const inner::Problem& problem, std::optional<certified::Solution> v) {
  Svm result{Svm::Outcome::undecided, {}, 0, {}, {}, {}, {}};
  if (const auto* undecided = svm.undecided()) {
    result.message = undecided->reason;
  } else if (const auto* infeasible = svm.infeasible()) {
    result.outcome = Svm::Outcome::infeasible;
    std::vector<std::size_t> rows;
    for (const Multiplier& one : infeasible->multipliers) rows.push_back(one.row);
    result.rows = names_of(svm.program, rows);
    result.message = "infeasible: these rows contradict each other";
    result.certificate = text_of(certify_infeasible(svm.program, *infeasible, std::move(v)), problem);
  } else {
    const auto& solution = *svm.solution();
    const bool weights = svm.program.kind() == inner::Program::Kind::w;
    result.outcome = Svm::Outcome::solved;
    result.objective = to_string(solution.objective);
    result.margin = 1 / std::sqrt(2 * nearest_double(solution.objective));
    for (const Rational& entry : weights ? weight_matrix(svm.program, solution) : solution.w) result.solution.push_back(to_string(entry));
    result.rows = names_of(svm.program, solution.support);
    result.certificate = text_of(certify_optimal(svm.program, solution, std::move(v)), problem);
  }
  return result;
}

void demand_selection(const inner::Problem& problem, const Selection& selection) {
  bool fits = selection.size() == problem.sample_count();
  for (std::size_t i = 0; fits && i < selection.size(); ++i) fits = selection[i] < problem.token_count(i);
  if (!fits)
    throw InputError("selection: found " + to_string(selection) + ", expected a token of each of the " +
                     std::to_string(problem.sample_count()) + " samples");
}

}  // namespace

struct Study::Inner {
  Problem problem;  // shared with the caller
  inner::Study study;
  double budget_seconds;
};

Study::Study(Problem problem, double budget_seconds) {
  demand_budget(budget_seconds);
  const inner::Problem& data = problem.inner().problem;
  inner_.reset(new Inner{std::move(problem), inner::Study(data), budget_seconds});
}
Study::~Study() = default;
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;

Selection Study::best_selection() {
  if (!inner_->study.problem().v) throw InputError("v: found none, expected a head: scores need one");
  return inner_->study.best();
}

Svm Study::svm(SvmProgram program, const Selection& selection) {
  const inner::Problem& problem = inner_->study.problem();
  demand_selection(problem, selection);
  const Budget budget(inner_->budget_seconds);
  std::optional<certified::Solution> v_proof;
  if (program == SvmProgram::joint) {
    const auto v = inner_->study.svm(inner::Program::Kind::v, selection, budget);
    if (!v->solution()) {
      Svm none = outer(*v, problem, {});
      none.message = "the v-SVM has no solution, so there are no support vectors; " + none.message;
      return none;
    }
    v_proof = certified_solution(v->program, *v->solution());
  }
  return outer(*inner_->study.svm(kind_of(program), selection, budget), problem, std::move(v_proof));
}

Finding Study::check(const std::string& claim, const std::string& parameters, std::uint64_t seed) {
  const auto read = read_claim(claim, parameters, all_schemas(), inner_->study.problem());
  if (const auto* fault = std::get_if<InputFault>(&read)) throw InputError(to_string(*fault));
  const auto& request = std::get<ClaimRequest>(read);
  return outer(find_claim(claim)->check({inner_->study, request, seed, Budget(inner_->budget_seconds)}), inner_->study.problem());
}

std::string_view name_of(Verdict verdict) { return inner::word(static_cast<inner::Verdict>(verdict)); }
std::string_view name_of(Grade grade) { return inner::word(static_cast<inner::Grade>(grade)); }

std::vector<std::string> claims() {
  std::vector<std::string> names;
  for (const auto& claim : all_claims()) names.emplace_back(claim.schema.name);
  return names;
}

std::string describe_claims() { return encode_descriptors(all_claims()).dump(); }

}  // namespace v1
}  // namespace attest
