// What the package's worker processes ask the library: the facade as functions of plain values.

#include "attest/attest.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

attest::Number number_of(nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  return nb::cast<double>(value);
}

attest::Vector vector_of(nb::handle list) {
  attest::Vector row;
  for (const nb::handle value : list) row.push_back(number_of(value));
  return row;
}

/// (rows, columns, the bytes of the doubles row by row).
attest::Matrix matrix_of_doubles(const nb::tuple& packed) {
  const auto rows = nb::cast<std::size_t>(packed[0]);
  const auto columns = nb::cast<std::size_t>(packed[1]);
  const auto bytes = nb::cast<nb::bytes>(packed[2]);
  if (bytes.size() != rows * columns * sizeof(double)) throw std::invalid_argument("the bytes are not those of the shape");
  std::vector<double> values(columns);
  attest::Matrix matrix;
  for (std::size_t r = 0; r < rows; ++r) {
    std::memcpy(values.data(), static_cast<const char*>(bytes.data()) + r * columns * sizeof(double), columns * sizeof(double));
    matrix.emplace_back(values.begin(), values.end());
  }
  return matrix;
}

/// Packed doubles, or a list of rows of doubles and exact texts.
attest::Matrix matrix_of(nb::handle value) {
  if (nb::isinstance<nb::tuple>(value)) return matrix_of_doubles(nb::cast<nb::tuple>(value));
  attest::Matrix matrix;
  for (const nb::handle row : value) matrix.push_back(vector_of(row));
  return matrix;
}

std::optional<attest::Matrix> optional_matrix(nb::handle value) { return value.is_none() ? std::nullopt : std::optional(matrix_of(value)); }

attest::Problem problem_of(const nb::dict& data) {
  if (data.contains("file")) return attest::Problem::read(nb::cast<std::filesystem::path>(data["file"]));
  attest::ProblemData result;
  for (const nb::handle sample : nb::cast<nb::list>(data["tokens"])) result.tokens.push_back(matrix_of(sample));
  result.labels = nb::cast<std::vector<int>>(data["labels"]);
  if (const auto v = optional_matrix(data["v"])) result.v = v->front();
  result.W = optional_matrix(data["W"]);
  result.queries = optional_matrix(data["queries"]);
  result.loss = nb::cast<std::string>(data["loss"]);
  return attest::Problem(result);
}

using Told = std::function<void(std::size_t, std::size_t, const std::string&)>;

attest::RunOptions options_of(double budget, unsigned jobs, std::uint64_t seed, std::optional<std::filesystem::path> certificates,
                              Told told) {
  return {budget, jobs, seed, std::move(certificates), std::move(told)};
}

attest::SvmProgram program_of(const std::string& name) {
  if (name == "p") return attest::SvmProgram::p;
  if (name == "v") return attest::SvmProgram::v;
  if (name == "joint") return attest::SvmProgram::joint;
  if (name == "W") return attest::SvmProgram::W;
  throw attest::InputError("program: found \"" + name + "\", expected p, v, joint or W");
}

const char* name_of(attest::Svm::Outcome outcome) {
  switch (outcome) {
    case attest::Svm::Outcome::solved: return "solved";
    case attest::Svm::Outcome::infeasible: return "infeasible";
    case attest::Svm::Outcome::undecided: break;
  }
  return "undecided";
}

nb::dict svm(const nb::dict& data, const std::string& program, const attest::Selection& selection, double budget) {
  const attest::Svm found = attest::Study(problem_of(data), budget).svm(program_of(program), selection);
  nb::dict result;
  result["outcome"] = name_of(found.outcome);
  result["objective"] = found.objective;
  result["margin"] = found.margin;
  result["solution"] = found.solution;
  result["rows"] = found.rows;
  result["message"] = found.message;
  result["certificate"] = found.certificate;
  return result;
}

nb::dict named(const std::vector<attest::Results::Picture>& pictures) {
  nb::dict found;
  for (const auto& [name, svg] : pictures) found[nb::str(name.c_str())] = svg;
  return found;
}

nb::tuple summary_of(attest::SweepSummary found) {
  return nb::make_tuple(std::move(found.rows), std::move(found.json), std::move(found.html), named(found.pictures));
}

nb::tuple check(const std::string& certificate, const std::optional<std::filesystem::path>& case_file) {
  const attest::Checked checked = attest::check_certificate(certificate, case_file);
  return nb::make_tuple(checked.accepted, checked.reason, checked.kind, checked.claim);
}

}  // namespace

NB_MODULE(_core, module) {
  nb::exception<attest::InputError>(module, "InputError", PyExc_ValueError);
  module.def(
      "audit",
      [](const nb::dict& data, const std::string& name, double budget, unsigned jobs, std::uint64_t seed,
         std::optional<std::filesystem::path> certificates, Told told) {
        return attest::audit(problem_of(data), name, options_of(budget, jobs, seed, std::move(certificates), std::move(told))).json();
      },
      "data"_a, "name"_a, "budget"_a, "jobs"_a, "seed"_a, "certificates"_a.none(), "told"_a);
  module.def(
      "audit_file",
      [](const nb::dict& data, double budget, unsigned jobs, std::uint64_t seed, std::optional<std::filesystem::path> certificates,
         Told told) {
        const auto file = nb::cast<std::filesystem::path>(data["file"]);
        return attest::audit(file, options_of(budget, jobs, seed, std::move(certificates), std::move(told))).json();
      },
      "data"_a, "budget"_a, "jobs"_a, "seed"_a, "certificates"_a.none(), "told"_a);
  module.def(
      "verify",
      [](const std::vector<std::filesystem::path>& paths, double budget, unsigned jobs, std::uint64_t seed,
         std::optional<std::filesystem::path> certificates,
         Told told) { return attest::verify(paths, options_of(budget, jobs, seed, std::move(certificates), std::move(told))).json(); },
      "paths"_a, "budget"_a, "jobs"_a, "seed"_a, "certificates"_a.none(), "told"_a);
  module.def(
      "track",
      [](const nb::dict& data, const std::string& name, const std::filesystem::path& run, double budget, std::uint64_t seed,
         std::optional<std::filesystem::path> certificates, Told told) {
        const attest::RunOptions options = options_of(budget, 1, seed, std::move(certificates), std::move(told));
        if (data.contains("file")) return attest::track(nb::cast<std::filesystem::path>(data["file"]), run, options).json();
        return attest::track(problem_of(data), name, run, options).json();
      },
      "data"_a, "name"_a, "run"_a, "budget"_a, "seed"_a, "certificates"_a.none(), "told"_a);
  module.def(
      "saved_case",
      [](const nb::dict& data, std::string results) { return attest::Results(std::move(results)).saved_case(problem_of(data)); }, "data"_a,
      "results"_a);
  module.def(
      "html", [](std::string results) { return attest::Results(std::move(results)).html(); }, "results"_a);
  module.def(
      "pictures", [](std::string results) { return named(attest::Results(std::move(results)).pictures()); }, "results"_a);
  module.def("svm", svm, "data"_a, "program"_a, "selection"_a, "budget"_a);
  module.def("check", check, "certificate"_a, "case_file"_a.none());
  module.def(
      "sweep",
      [](const std::filesystem::path& spec, double budget, unsigned jobs, const std::optional<std::filesystem::path>& folder, bool resume,
         Told told) { return summary_of(attest::sweep(spec, options_of(budget, jobs, 0, std::nullopt, std::move(told)), folder, resume)); },
      "spec"_a, "budget"_a, "jobs"_a, "folder"_a.none(), "resume"_a, "told"_a);
  module.def("sweep_size", &attest::sweep_size, "spec"_a);
  module.def("open_sweep", &attest::open_sweep, "spec"_a, "folder"_a, "resume"_a);
  module.def(
      "sweep_rows",
      [](const std::filesystem::path& spec, const std::vector<std::size_t>& data_sets, double budget, Told told) {
        return attest::sweep_rows(spec, data_sets, options_of(budget, 1, 0, std::nullopt, std::move(told)));
      },
      "spec"_a, "data_sets"_a, "budget"_a, "told"_a);
  module.def(
      "finish_sweep",
      [](const std::filesystem::path& spec, const std::vector<std::string>& rows, const std::optional<std::filesystem::path>& folder) {
        return summary_of(attest::summarize_sweep(spec, rows, folder));
      },
      "spec"_a, "rows"_a, "folder"_a.none());
  module.def("claims", [] { return attest::describe_claims(); });
  module.def("version", [] { return std::string(attest::version()); });
}
