#pragma once

// The library of attest: what softmax attention does on your data, with evidence. docs/library.md shows how it is used.
//
// Bad input throws InputError with the text that the program prints. What could not be decided is a verdict, not an exception.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attest {
inline namespace v1 {

/// Input that describes no problem, case, claim or results: where, what was found and what was expected.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An exact number: a double as it is, or text such as "1/3" or "0.1", which is one tenth.
class Number {
 public:
  Number(double value) : value_(value) {}
  Number(int value) : value_(static_cast<double>(value)) {}
  Number(const char* text) : value_(std::string(text)) {}
  Number(std::string text) : value_(std::move(text)) {}
  const std::variant<double, std::string>& value() const { return value_; }

 private:
  std::variant<double, std::string> value_;
};
using Vector = std::vector<Number>;
using Matrix = std::vector<Vector>;  ///< by rows

/// The chosen token of each sample, counted from 0.
using Selection = std::vector<std::size_t>;

/// Samples of tokens with labels, and what is fixed of the model: head v, key weights W, queries z_i, the loss.
struct ProblemData {
  std::vector<Matrix> tokens;          ///< a matrix a sample: a token a row, as many as the sample has
  std::vector<int> labels;             ///< 1 or -1
  std::optional<Vector> v = {};        ///< most theorems need it
  std::optional<Matrix> W = {};        ///< absent: the identity
  std::optional<Matrix> queries = {};  ///< absent: the first token of each sample
  std::string loss = "logistic";       ///< "logistic", "exponential", "correlation", or an expression in u
};

/// A problem that is one: shapes fit, labels are 1 or -1, numbers are finite. Copies share the data, which do not change.
class Problem {
 public:
  explicit Problem(const ProblemData& data);
  /// The data of a case, or of an .npz with X, Y and perhaps v, W, Z.
  static Problem read(const std::filesystem::path& file);

  std::size_t samples() const;
  std::size_t tokens(std::size_t sample) const;
  std::size_t dimension() const;

  struct Inner;
  const Inner& inner() const { return *inner_; }

 private:
  explicit Problem(std::shared_ptr<const Inner> inner) : inner_(std::move(inner)) {}
  std::shared_ptr<const Inner> inner_;
};

enum class Verdict {
  holds,         ///< true on these data
  fails,         ///< false on these data
  undecided,     ///< neither was shown; the message says why
  inapplicable,  ///< a hypothesis of the theorem does not hold
};
/// Only exact or interval arithmetic earns `proved`, and what is proved has a certificate.
enum class Grade { observed, proved };
std::string_view name_of(Verdict verdict);
std::string_view name_of(Grade grade);

/// A hypothesis of a theorem, decided on the data.
struct Hypothesis {
  std::string name;
  Verdict verdict;
  Grade grade;
  std::string message;
  std::string certificate;  ///< as for a finding
};

/// What a claim came to.
struct Finding {
  Verdict verdict;
  Grade grade;
  std::string message;
  std::string numbers;  ///< a JSON object; docs/claims.md says what each number is
  std::optional<Selection> selection;
  std::vector<Hypothesis> hypotheses;
  std::string certificate;  ///< the text of a certificate file (docs/certificate.md), empty where there is none
  /// Of the limits of the runs of descent that it follows, in the order of the numbers' `runs`: as above. Empty for all other claims.
  std::vector<std::string> run_certificates = {};
};

/// The exact solution of an SVM program, or that there is none. The joint program without a solution of the v-SVM is what that one is.
struct Svm {
  enum class Outcome { solved, infeasible, undecided };
  Outcome outcome;
  std::string objective;              ///< 1/2 |w|^2 as a fraction
  double margin = 0;                  ///< 1/|w|; infinite when w is 0
  std::vector<std::string> solution;  ///< w as fractions; W by rows
  /// The tight rows [sample, token], or [sample] of the v-SVM; of an infeasible program rows that contradict each other.
  std::vector<std::vector<std::size_t>> rows;
  std::string message;
  std::string certificate;
};
enum class SvmProgram { p, v, joint, W };

/// What is known of a problem. Each question is answered once: what one answer found, the next ones use. Works in this process.
class Study {
 public:
  /// `budget_seconds` of CPU time for each question.
  explicit Study(Problem problem, double budget_seconds = 300);
  ~Study();
  Study(Study&&) noexcept;
  Study& operator=(Study&&) noexcept;

  Svm svm(SvmProgram program, const Selection& selection);
  Svm p_svm(const Selection& selection) { return svm(SvmProgram::p, selection); }
  /// The selection of the largest scores; needs v.
  Selection best_selection();
  /// Checks a claim. `parameters` is a JSON object, as a case writes them: {"selection": [0, 1]}.
  Finding check(const std::string& claim, const std::string& parameters = "{}", std::uint64_t seed = 0);

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

/// How claims are run: each case, or each claim of an audit, in a worker process, so that a crash or a hang ends one claim.
struct RunOptions {
  double budget_seconds = 300;  ///< of CPU time for one claim
  unsigned jobs = 1;
  std::uint64_t seed = 0;
  std::optional<std::filesystem::path> certificates = {};  ///< a folder for them
  std::function<void(std::size_t done, std::size_t total, const std::string& what)> progress = {};
};

/// Results of `verify` or `audit`: docs/results.md.
class Results {
 public:
  explicit Results(std::string json) : json_(std::move(json)) {}
  const std::string& json() const { return json_; }
  std::string html() const;
  std::string markdown() const;
  /// The pictures of the page as SVG files, by their names, such as "pair-03-gd-local-error.svg".
  struct Picture {
    std::string name;
    std::string svg;
  };
  std::vector<Picture> pictures() const;
  /// Of an audit: the text of a case file with these data, by value, that expects what was found.
  std::string saved_case(const Problem& problem) const;
  /// Whether every claim came out as it was expected; an audit expects what it finds.
  bool as_expected() const;

 private:
  std::string json_;
};

/// Checks the claims of case files, or of all cases below a folder.
Results verify(const std::vector<std::filesystem::path>& paths, const RunOptions& options = {});
/// Says what holds on the data of a case or an .npz.
Results audit(const std::filesystem::path& data, const RunOptions& options = {.budget_seconds = 20});
/// The same of a problem, which the results call by `name`.
Results audit(const Problem& problem, const std::string& name, const RunOptions& options = {.budget_seconds = 20});

/// Says where a training run goes (docs/track.md): results with the one claim `trajectory`. The run is an archive with p, W, or K and Q, a
/// checkpoint a row; the data are those of a case or an .npz.
Results track(const std::filesystem::path& data, const std::filesystem::path& run, const RunOptions& options = {});
/// The same on a problem, which the results call by `name`.
Results track(const Problem& problem, const std::string& name, const std::filesystem::path& run, const RunOptions& options = {});

/// What a sweep found (docs/sweeps.md).
struct SweepSummary {
  std::vector<std::string> rows;  ///< a JSON object each, in order, each once
  std::string json;
  std::string html;
  std::vector<Results::Picture> pictures;
};
/// A sweep on this machine; the budget is that of a claim, and certificates are not written. With a folder the files of `attest sweep` are
/// written there, rows as they finish; with `resume` the rows that are there stay.
SweepSummary sweep(const std::filesystem::path& spec, const RunOptions& options = {.budget_seconds = 20},
                   const std::optional<std::filesystem::path>& folder = {}, bool resume = false);

// The parts of a sweep, for who spreads it over machines.

/// How many data sets it has.
std::size_t sweep_size(const std::filesystem::path& spec);
/// Makes the folder of a sweep, unless it holds another one, and gives the rows that stay there: with `resume` those that are whole.
std::vector<std::string> open_sweep(const std::filesystem::path& spec, const std::filesystem::path& folder, bool resume);
/// The rows of these data sets, by their numbers from 0 on.
std::vector<std::string> sweep_rows(const std::filesystem::path& spec, const std::vector<std::size_t>& data_sets,
                                    const RunOptions& options = {.budget_seconds = 20});
/// What rows come to; with a folder its files are written.
SweepSummary summarize_sweep(const std::filesystem::path& spec, const std::vector<std::string>& rows,
                             const std::optional<std::filesystem::path>& folder = {});

/// What the independent checker says of a certificate: exact arithmetic of its own, nothing shared with what wrote it.
struct Checked {
  bool accepted;
  std::string reason;  ///< why it is rejected
  std::string kind;    ///< what kind of proof was accepted
  std::string claim;   ///< and of which claim
};
/// With a case, its data have to be those of the certificate.
Checked check_certificate(const std::string& certificate, const std::optional<std::filesystem::path>& case_file = {});

/// The names of all claims.
std::vector<std::string> claims();
/// All that there is to say of the claims: a JSON list of objects, as `attest claims --json` prints it.
std::string describe_claims();
std::string_view version();

}  // namespace v1
}  // namespace attest
