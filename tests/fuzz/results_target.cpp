// The reader of saved results, and all that `attest report` and `attest diff` make of what it lets pass.
#include "attest/report/difference.hpp"
#include "attest/report/html.hpp"
#include "attest/report/junit.hpp"
#include "attest/report/markdown.hpp"
#include "attest/report/saved_results.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace attest;
  static const fuzz::Scratch scratch;
  const auto read = read_results(scratch.write("results.json", fuzz::text_of(bytes, size)), "0.1.0");
  if (const auto* fault = std::get_if<InputFault>(&read)) {
    fuzz::require_clear(to_string(*fault));
    return 0;
  }
  const Json& results = std::get<Json>(read);
  fuzz::require(html(results).find("<script>alert(") == std::string::npos, "no text of the results is a script of the page");
  fuzz::require(!junit(results).empty() && !markdown(results).empty(), "results have reports");
  fuzz::require(differences(results, results).empty(), "results do not differ from themselves");
  unmet_expectations(results);
  return 0;
}
