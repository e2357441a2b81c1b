#include "attest/report/saved_results.hpp"

#include "attest/base/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace attest {
namespace {

/// Deeper than any results; a file that nests more would only exhaust the stack.
constexpr int deepest = 64;

/// Reads one value and its members; the first thing that is wrong is kept.
class Examiner {
 public:
  explicit Examiner(std::string file) : file_(std::move(file)) {}

  const std::optional<InputFault>& fault() const { return fault_; }

  void blame(const std::string& path, const std::string& found, const std::string& expected) {
    if (!fault_) fault_ = InputFault{file_, path, without_controls(found), expected};
  }

  /// Whether a member is there and of the right kind. `kind` says it in words.
  template <class Test>
  bool demand(const Json& object, const std::string& path, const char* key, const char* kind, Test test) {
    const auto found = object.find(key);
    if (found == object.end()) {
      blame(path, fmt::format("no \"{}\"", key), fmt::format("\"{}\": {}", key, kind));
    } else if (!test(*found)) {
      blame(path + "." + key, shown(*found), kind);
    } else {
      return true;
    }
    return false;
  }

  /// As demand; a member that lacks, or is null, becomes `otherwise`.
  template <class Test>
  void allow(Json& object, const std::string& path, const char* key, const char* kind, const Json& otherwise, Test test) {
    if (!object.contains(key) || object.at(key).is_null())
      object[key] = otherwise;
    else
      demand(object, path, key, kind, test);
  }

  static std::string shown(const Json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    constexpr std::size_t most = 60;
    const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() <= most ? text : text.substr(0, most) + "…";
  }

 private:
  /// What results say must not steer the terminal on which it is quoted.
  static std::string without_controls(const std::string& text) {
    std::string shown;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      shown += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    }
    return shown;
  }

  std::string file_;
  std::optional<InputFault> fault_;
};

bool is_text(const Json& value) { return value.is_string(); }
bool is_flag(const Json& value) { return value.is_boolean(); }
bool is_object(const Json& value) { return value.is_object(); }
bool is_list(const Json& value) { return value.is_array(); }
bool is_file_list(const Json& value) {
  return value.is_array() && std::ranges::all_of(value, [](const Json& file) { return file.is_null() || file.is_string(); });
}
bool is_text_list(const Json& value) { return value.is_array() && !value.empty() && std::ranges::all_of(value, is_text); }
bool is_count(const Json& value) { return value.is_number_unsigned(); }
bool is_duration(const Json& value) { return value.is_number() && value.get<double>() >= 0; }
bool is_verdict(const Json& value) { return value.is_string() && parse_verdict(value.get_ref<const std::string&>()).has_value(); }
bool is_grade(const Json& value) { return value.is_string() && parse_grade(value.get_ref<const std::string&>()).has_value(); }

bool is_selection(const Json& value) {
  if (!value.is_array()) return false;
  for (const Json& token : value)
    if (!is_count(token)) return false;
  return true;
}

constexpr const char* a_verdict = "holds, fails, undecided or inapplicable";
constexpr const char* a_grade = "proved or observed";

std::string major_of(std::string_view version) { return std::string(version.substr(0, version.find('.'))); }

void examine_hypotheses(Examiner& examiner, Json& list, const std::string& path) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string here = fmt::format("{}[{}]", path, k);
    if (!list[k].is_object()) return examiner.blame(here, Examiner::shown(list[k]), "an object");
    examiner.demand(list[k], here, "name", "text", is_text);
    examiner.demand(list[k], here, "verdict", a_verdict, is_verdict);
    examiner.demand(list[k], here, "grade", a_grade, is_grade);
    if (list[k].contains("message")) examiner.demand(list[k], here, "message", "text", is_text);
    examiner.allow(list[k], here, "certificate", "text, or null", nullptr, is_text);
  }
}

void examine_claim(Examiner& examiner, Json& claim, const std::string& path) {
  if (!claim.is_object()) return examiner.blame(path, Examiner::shown(claim), "an object");
  examiner.demand(claim, path, "claim", "text", is_text);
  examiner.demand(claim, path, "verdict", a_verdict, is_verdict);
  examiner.demand(claim, path, "grade", a_grade, is_grade);
  examiner.demand(claim, path, "passed", "true or false", is_flag);
  examiner.allow(claim, path, "parameters", "an object", Json::object(), is_object);
  if (claim.contains("label")) examiner.demand(claim, path, "label", "text", is_text);
  examiner.allow(claim, path, "selection", "a list of whole numbers, or null", nullptr, is_selection);
  examiner.allow(claim, path, "expect", a_verdict, nullptr, is_verdict);
  examiner.allow(claim, path, "expect_grade", a_grade, "observed", is_grade);
  examiner.allow(claim, path, "message", "text", "", is_text);
  examiner.allow(claim, path, "numbers", "an object", Json::object(), is_object);
  examiner.allow(claim, path, "certificate", "text, or null", nullptr, is_text);
  if (claim.contains("run_certificates"))
    examiner.demand(claim, path, "run_certificates", "a list of texts, or null where there is none", is_file_list);
  examiner.allow(claim, path, "seconds", "a number from 0 on", 0.0, is_duration);
  if (claim.contains("conclusion")) examiner.demand(claim, path, "conclusion", "text", is_text);
  if (claim.contains("hypotheses") && examiner.demand(claim, path, "hypotheses", "a list", is_list))
    examine_hypotheses(examiner, claim.at("hypotheses"), path + ".hypotheses");
}

void examine_case(Examiner& examiner, Json& one, const std::string& path) {
  if (!one.is_object()) return examiner.blame(path, Examiner::shown(one), "an object");
  examiner.demand(one, path, "name", "text", is_text);
  examiner.allow(one, path, "file", "text", "", is_text);
  for (const char* key : {"about", "source"})
    if (one.contains(key)) examiner.demand(one, path, key, "text", is_text);
  for (const char* key : {"data", "audit"})
    if (one.contains(key) && !one.at(key).is_null()) examiner.demand(one, path, key, "an object", is_object);
  if (one.contains("data_changed"))
    examiner.demand(one, path, "data_changed", "a list of parts of the data that is not empty", is_text_list);
  if (!examiner.demand(one, path, "claims", "a list", is_list)) return;
  for (std::size_t k = 0; k < one.at("claims").size(); ++k)
    examine_claim(examiner, one["claims"][k], fmt::format("{}.claims[{}]", path, k));
}

void examine_counts(Examiner& examiner, const Json& found) {
  const auto [passed, failed] = count_results(found.at("cases").get_ref<const Json::array_t&>());
  const Json& summary = found.at("summary");
  for (const auto& [key, count] : {std::pair{"passed", passed}, std::pair{"failed", failed}})
    if (summary.at(key) != count)
      examiner.blame(fmt::format("$.summary.{}", key), Examiner::shown(summary.at(key)),
                     fmt::format("{}, the claims that {}{}", count, key,
                                 key == std::string_view("failed") ? " and the cases whose data changed" : ""));
}

void examine(Examiner& examiner, Json& found, std::string_view version) {
  if (!found.is_object()) return examiner.blame("$", Examiner::shown(found), "an object, the results of attest");
  if (examiner.demand(found, "$", "attest", "an object, what the results were made with", is_object) &&
      examiner.demand(found.at("attest"), "$.attest", "version", "text", is_text)) {
    const auto made_by = found.at("attest").at("version").get<std::string>();
    if (major_of(made_by) != major_of(version))
      examiner.blame("$.attest.version", made_by, fmt::format("{}.x, of the same major version as this program", major_of(version)));
  }
  if (examiner.demand(found, "$", "summary", "an object", is_object))
    for (const char* key : {"passed", "failed"}) examiner.demand(found.at("summary"), "$.summary", key, "a whole number", is_count);
  if (examiner.demand(found, "$", "cases", "a list", is_list))
    for (std::size_t k = 0; k < found.at("cases").size(); ++k) examine_case(examiner, found["cases"][k], fmt::format("$.cases[{}]", k));
  if (!examiner.fault()) examine_counts(examiner, found);
}

}  // namespace

OrFault<Json> read_results(const std::filesystem::path& file, std::string_view version) {
  constexpr const char* expected = "the results that attest verify --json writes";
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(status)) return InputFault{file.string(), "", "a folder", expected};
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !std::filesystem::is_fifo(status))
    return InputFault{file.string(), "", "a device", expected};
  std::ifstream stream(file);
  if (!stream) return InputFault{file.string(), "", "no such file", expected};
  Json found;
  try {
    found = Json::parse(stream, [](int depth, Json::parse_event_t, Json&) {
      if (depth > deepest) throw std::length_error(fmt::format("more than {} levels", deepest));
      return true;
    });
  } catch (const Json::parse_error& fault) {
    return InputFault{file.string(), "", fmt::format("no JSON (at byte {})", fault.byte), expected};
  } catch (const Json::out_of_range&) {
    return InputFault{file.string(), "", "a number beyond the range of doubles", expected};
  } catch (const std::length_error& fault) {
    return InputFault{file.string(), "", fault.what(), expected};
  }
  Examiner examiner(file.string());
  examine(examiner, found, version);
  if (examiner.fault()) return *examiner.fault();
  return found;
}

}  // namespace attest
