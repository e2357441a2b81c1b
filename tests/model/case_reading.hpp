#pragma once

#include "attest/model/case_file.hpp"
#include "scratch_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace attest {

/// Made-up claims that use every kind of parameter and need.
inline std::vector<ClaimSchema> test_schemas() {
  using enum ParameterKind;
  const auto parameter = [](std::string_view name, ParameterKind kind) { return ParameterSpec{name, kind, false, "", {}}; };
  return {{"separates", {{"selection", selection, true, "", {}}, parameter("objective", rational)}, {}},
          {"descends",
           {parameter("step", positive),
            parameter("iterations", count),
            parameter("starts", points),
            parameter("from", matrices),
            parameter("reaches", selections),
            {"method", choice, false, "", {"normalised", "constant"}}},
           {{"v", ""}}},
          {"bounded",
           {parameter("interval", interval), parameter("strict", flag), parameter("tight", rows), parameter("supports", samples),
            parameter("many", whole)},
           {{"v", "interval"}}},
          {"plain", {}, {}}};
}

/// A case of two samples, of 2 and 3 tokens in two dimensions, in which one part can be another.
struct CaseText {
  std::string tokens = "[[[1, 0], [0, 1]], [[1, 1], [2, 0], [0, 2]]]";
  std::string labels = "[1, -1]";
  std::string more = "";  ///< further keys, each with a comma behind
  std::string claims = R"([{"claim": "plain"}])";

  std::string text() const { return "{" + more + "\"tokens\": " + tokens + ", \"labels\": " + labels + ", \"claims\": " + claims + "}"; }
};

inline OrFault<Case> read_case_text(const std::string& text, const ScratchFolder& folder = {}) {
  return read_case(folder.write("example.json", text), test_schemas());
}

inline Case accepted(const CaseText& text, const ScratchFolder& folder = {}) {
  auto result = read_case_text(text.text(), folder);
  if (const auto* fault = std::get_if<InputFault>(&result)) BOOST_FAIL(to_string(*fault));
  return std::get<Case>(std::move(result));
}

inline void check_text_refused(const std::string& text, const std::string& path, const std::string& found, const std::string& expected,
                               const ScratchFolder& folder = {}) {
  const auto result = read_case_text(text, folder);
  const auto* fault = std::get_if<InputFault>(&result);
  BOOST_REQUIRE_MESSAGE(fault != nullptr, "refused: " << text.substr(0, 200));
  const auto has = [](const std::string& whole, const std::string& part) { return whole.find(part) != std::string::npos; };
  BOOST_TEST(fault->file == (folder.path() / "example.json").string());
  BOOST_TEST(fault->path == path, to_string(*fault));
  BOOST_TEST(has(fault->found, found), to_string(*fault) << " has " << found);
  BOOST_TEST(has(fault->expected, expected), to_string(*fault) << " has " << expected);
}

inline void check_refused(const CaseText& text, const std::string& path, const std::string& found, const std::string& expected,
                          const ScratchFolder& folder = {}) {
  check_text_refused(text.text(), path, found, expected, folder);
}

}  // namespace attest
