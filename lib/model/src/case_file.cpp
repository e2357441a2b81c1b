#include "attest/model/case_file.hpp"

#include "archive.hpp"
#include "attest/base/spelling.hpp"
#include "attest/model/case_name.hpp"
#include "attest/model/npy.hpp"
#include "attest/model/problem_fault.hpp"
#include "case_arrays.hpp"
#include "case_parts.hpp"
#include "claim_reader.hpp"
#include "data_archive.hpp"
#include "expression_reader.hpp"
#include "json_reader.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <new>
#include <system_error>

namespace attest {
namespace {

constexpr std::array<std::string_view, 11> case_keys{"name", "about",   "source", "tokens", "labels",     "v",
                                                     "W",    "queries", "loss",   "claims", "data_sha256"};

Loss read_written_loss(const JsonValue::Object& object, const JsonPlace& place) {
  const JsonPlace inside = place.member("expression");
  constexpr std::array<std::string_view, 1> keys{"expression"};
  constexpr std::string_view expected = "an expression in u, such as \"log(1+exp(-u))\"";
  refuse_unknown_keys(object, keys, place);
  return Loss::written(read_expression(required_member(object, "expression", place, expected), inside, expected));
}

Problem read_problem(const JsonValue::Object& root, const std::filesystem::path& folder) {
  const JsonPlace top;
  const CaseArrays arrays(folder);
  Problem problem;
  problem.tokens = arrays.tokens(required_member(root, "tokens", top, "the data, samples of tokens of numbers"), top.member("tokens"));
  const std::size_t n = problem.sample_count();
  const std::size_t d = problem.dimension();
  problem.labels = arrays.labels(required_member(root, "labels", top, "1 or -1 for each sample"), top.member("labels"), n);
  if (const JsonValue* v = find_member(root, "v")) problem.v = arrays.vector(*v, top.member("v"), d);
  if (const JsonValue* W = find_member(root, "W")) problem.W = arrays.matrix(*W, top.member("W"), d, d);
  if (const JsonValue* queries = find_member(root, "queries")) problem.queries = arrays.matrix(*queries, top.member("queries"), n, d);
  if (const JsonValue* loss = find_member(root, "loss")) problem.loss = read_loss(*loss, top.member("loss"));
  // The arrays refuse what is wrong in their own words, by file and index; nothing else leaves here either.
  if (const auto fault = fault_of(problem)) throw CaseFault{fault->path, fault->found, fault->expected};
  return problem;
}

/// 64 lower-case hexadecimal digits.
std::string read_sha256(const JsonValue& value, const JsonPlace& place) {
  constexpr std::string_view expected = "64 digits among 0123456789abcdef";
  const std::string& text = as_string(value, place, expected);
  if (text.size() != 64 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    fail(place, describe(value), std::string(expected));
  return text;
}

DataDigest read_digest(const JsonValue& value, const JsonPlace& place) {
  constexpr std::array<std::string_view, 6> parts{"tokens", "labels", "loss", "v", "W", "queries"};
  const JsonValue::Object& object =
      as_object(value, place, "an object with the SHA-256 of tokens, labels, loss and of v, W and queries where they were given");
  refuse_unknown_keys(object, parts, place);
  for (const std::string_view part : {"tokens", "labels", "loss"}) required_member(object, part, place, "its SHA-256");
  DataDigest digest;
  for (const auto& [part, text] : object) digest.emplace(part, read_sha256(text, place.member(part)));
  return digest;
}

/// The files that the case names in place of arrays.
std::vector<std::filesystem::path> array_files(const JsonValue::Object& root, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const std::string_view field : {"tokens", "labels", "v", "W", "queries"}) {
    const JsonValue* value = find_member(root, field);
    const auto* named = value ? value->get<JsonValue::Object>() : nullptr;
    const JsonValue* file = named ? find_member(*named, "file") : nullptr;
    if (file != nullptr && file->get<std::string>() != nullptr) files.push_back(folder / *file->get<std::string>());
  }
  return files;
}

/// All but the claims.
Case read_all_but_claims(const JsonValue::Object& root, const std::filesystem::path& file) {
  Case result;
  result.file = file;
  result.name = read_name(root, file);
  result.about = read_optional_text(root, "about");
  result.source = read_optional_text(root, "source");
  if (const JsonValue* digest = find_member(root, "data_sha256"))
    result.data_sha256 = read_digest(*digest, JsonPlace().member("data_sha256"));
  result.problem = read_problem(root, file.parent_path());
  result.array_files = array_files(root, file.parent_path());
  return result;
}

Case read_whole(const std::filesystem::path& file, std::span<const ClaimSchema> schemas) {
  const JsonPlace top;
  const JsonValue tree = parse_json(read_text(file, "a case file"));
  const JsonValue::Object& root = as_object(tree, top, "an object with tokens, labels and claims");
  refuse_unknown_keys(root, case_keys, top);
  // Looked for before large files are read.
  const JsonValue& claims = required_member(root, "claims", top, "a non-empty array: `attest verify` needs claims");
  Case result = read_all_but_claims(root, file);
  result.claims = read_claims(claims, top.member("claims"), schemas, result.problem, file.parent_path());
  for (const ClaimRequest& request : result.claims)
    for (const auto& [name, value] : request.parameters)
      if (const auto* run = std::get_if<TrainingRun>(&value)) result.array_files.push_back(run->path);
  return result;
}

DataSet read_case_data(const std::filesystem::path& file) {
  const JsonPlace top;
  const JsonValue tree = parse_json(read_text(file, "a case file"));
  const JsonValue::Object& root = as_object(tree, top, "an object with tokens and labels");
  refuse_unknown_keys(root, case_keys, top);
  DataSet set{read_all_but_claims(root, file), {}, {}};
  if (find_member(root, "claims") != nullptr)
    set.notes.emplace_back("the claims of the case are not looked at: `attest verify` checks them");
  return set;
}

InputFault too_large(const std::filesystem::path& file) {
  return {file.string(), "", "a case that does not fit into this machine's memory", "a smaller one"};
}

}  // namespace

std::string read_text(const std::filesystem::path& file, const std::string& expected) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw CaseFault{"", "no such file", expected};
  if (std::filesystem::is_directory(status)) throw CaseFault{"", "a folder", expected};
  if (!std::filesystem::is_regular_file(status)) throw CaseFault{"", "something that is not a regular file", expected};
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  std::string text(error ? 0 : size, ' ');
  std::ifstream input(file, std::ios::binary);
  if (error || !input.read(text.data(), static_cast<std::streamsize>(text.size())))
    throw CaseFault{"", "a file that cannot be read", "a file that this user may read"};
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw CaseFault{"", "an empty file", "a JSON object"};
  return text;
}

std::string read_optional_text(const JsonValue::Object& root, std::string_view key) {
  const JsonValue* value = find_member(root, key);
  return value == nullptr ? "" : as_string(*value, JsonPlace().member(key), "text");
}

std::string read_name(const JsonValue::Object& root, const std::filesystem::path& file) {
  const bool given = find_member(root, "name") != nullptr;
  std::string name = given ? read_optional_text(root, "name") : file.stem().string();
  if (!is_case_name(name))
    throw CaseFault{"$.name", in_quotes(name) + (given ? "" : ", the name of the file,"),
                    "a name that is not empty and has no '/' and no control characters"};
  return name;
}

Loss read_loss(const JsonValue& value, const JsonPlace& place) {
  if (const auto* object = value.get<JsonValue::Object>()) return read_written_loss(*object, place);
  const std::string* name = value.get<std::string>();
  if (name != nullptr)
    if (auto loss = Loss::named(*name)) return *std::move(loss);
  fail(place, describe(value), one_of(Loss::names(), name == nullptr ? "" : *name) + ", or {\"expression\": …}");
}

bool is_case_name(std::string_view name) {
  return !name.empty() && is_utf8(name) && name.find('/') == std::string_view::npos && !has_control_character(name);
}

std::vector<std::string> Case::changed_data() const {
  return data_sha256 ? changed_parts(*data_sha256, digest_of(problem)) : std::vector<std::string>();
}

OrFault<Case> read_case(const std::filesystem::path& file, std::span<const ClaimSchema> schemas) {
  try {
    if (is_archive(file)) throw CaseFault{"", "an archive of arrays", "a case file; `attest audit` takes archives"};
    return read_whole(file, schemas);
  } catch (const CaseFault& fault) {
    return InputFault{file.string(), fault.path, fault.found, fault.expected};
  } catch (const std::bad_alloc&) {
    return too_large(file);
  }
}

OrFault<ClaimRequest> read_claim(const std::string& claim, std::string_view parameters, std::span<const ClaimSchema> schemas,
                                 const Problem& problem) {
  try {
    const JsonPlace top;
    const JsonValue tree = parse_json(parameters);
    JsonValue::Object entry = as_object(tree, top, "an object of parameters");
    for (const char* key : {"claim", "expect", "grade"})
      if (find_member(entry, key) != nullptr) fail(top.member(key), "what a case says beside the parameters", "parameters alone");
    entry.push_back({"claim", {claim}});
    JsonValue::Array list;
    list.push_back({std::move(entry)});
    return read_claims({std::move(list)}, top.member("claims"), schemas, problem, {}).front();
  } catch (const CaseFault& fault) {
    return InputFault{"", fault.path, fault.found, fault.expected};
  }
}

bool is_archive_without_data(const std::filesystem::path& file) {
  try {
    return is_archive(file) && std::ranges::count(archive_arrays(file), "X") == 0;
  } catch (const ArrayFault&) {
    return false;
  }
}

OrFault<DataSet> read_data(const std::filesystem::path& file, LabelCoding labels) {
  try {
    if (is_archive(file)) return read_data_archive(file, read_name({}, file), labels);
    refuse_pickles(file);
    if (labels != LabelCoding::signs)
      throw CaseFault{"$.labels", "--labels 01 with a case file", "a .npz or .safetensors archive: a case writes its labels as 1 and -1"};
    if (file.extension() == ".npy")
      throw CaseFault{"", "a .npy file, which holds one array", "a case file, or a .npz or .safetensors archive with the arrays X and Y"};
    return read_case_data(file);
  } catch (const CaseFault& fault) {
    return InputFault{file.string(), fault.path, fault.found, fault.expected};
  } catch (const ArrayFault& fault) {
    return InputFault{file.string(), "", printable(fault.found), fault.expected};
  } catch (const std::bad_alloc&) {
    return too_large(file);
  }
}

}  // namespace attest
