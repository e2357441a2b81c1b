#include "case_reading.hpp"
#include "repeated_text.hpp"

#include <boost/test/unit_test.hpp>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(case_file)

BOOST_AUTO_TEST_CASE(a_whole_case_is_read) {
  const ScratchFolder folder;
  const Case read = accepted({.more = R"("name": "two samples", "about": "why", "source": "[MM]", "v": [1, "1/3"], "W": [[0, 1], [1, 0]],
                                         "queries": [[1, 2], [3, 4]], "loss": "exponential",)"},
                             folder);
  BOOST_TEST(read.name == "two samples");
  BOOST_TEST(read.about == "why");
  BOOST_TEST(read.source == "[MM]");
  BOOST_TEST(read.file == folder.path() / "example.json");
  BOOST_TEST(read.problem.sample_count() == 2U);
  BOOST_TEST(read.problem.dimension() == 2U);
  BOOST_TEST(read.problem.token_count(0) == 2U);
  BOOST_TEST(read.problem.token_count(1) == 3U);
  BOOST_TEST(read.problem.tokens[1].at(1, 0) == 2);
  BOOST_TEST((read.problem.labels == std::vector<int>{1, -1}));
  BOOST_TEST(read.problem.v->at(0, 1) == Rational(1, 3));
  BOOST_TEST(read.problem.W->at(0, 1) == 1);
  BOOST_TEST(read.problem.queries->at(1, 0) == 3);
  BOOST_TEST(read.problem.loss.name() == "exponential");
  BOOST_TEST(read.claims.size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_a_case_may_leave_out_has_its_default) {
  const Case read = accepted({});
  BOOST_TEST(read.name == "example");
  BOOST_TEST(read.about.empty());
  BOOST_TEST((!read.problem.v && !read.problem.W && !read.problem.queries));
  BOOST_TEST(read.problem.loss.name() == "logistic");
  BOOST_TEST((read.claims[0].expect == Verdict::holds));
  BOOST_TEST((read.claims[0].grade == Grade::observed));
}

BOOST_AUTO_TEST_CASE(what_a_case_must_have_is_missed) {
  check_text_refused(R"({"labels": [1], "claims": []})", "$", "no tokens", "tokens: the data");
  check_text_refused(R"({"tokens": [[[1]]], "claims": []})", "$", "no labels", "labels: 1 or -1");
  check_text_refused(R"({"tokens": [[[1]]], "labels": [1]})", "$", "no claims", "`attest verify` needs claims");
}

BOOST_AUTO_TEST_CASE(the_file_must_be_a_regular_file_with_an_object) {
  const ScratchFolder folder;
  const auto fault = [&](const std::filesystem::path& file) { return to_string(std::get<InputFault>(read_case(file, test_schemas()))); };
  const std::string missing = (folder.path() / "missing.json").string();
  BOOST_TEST(fault(missing) == missing + ": found no such file, expected a case file");
  BOOST_TEST(fault(folder.path()) == folder.path().string() + ": found a folder, expected a case file");
  BOOST_TEST(fault("/dev/null") == "/dev/null: found something that is not a regular file, expected a case file");
  BOOST_TEST(fault("") == ": found no such file, expected a case file");
  check_text_refused("", "", "an empty file", "a JSON object");
  check_text_refused(" \n", "", "an empty file", "a JSON object");
  check_text_refused("[]", "$", "an empty array", "an object");
  check_text_refused("3", "$", "3", "an object");
}

BOOST_AUTO_TEST_CASE(an_unknown_key_is_refused_with_the_likely_one) {
  check_refused({.more = "\"label\": 1,"}, "$.label", "the unknown key \"label\"", "(did you mean labels?)");
  check_refused({.more = "\"Loss\": 1,"}, "$.Loss", "unknown key", "(did you mean loss?)");
  check_refused({.more = "\"lsos\": 1,"}, "$.lsos", "unknown key", "(did you mean loss?)");
  check_refused({.more = "\"quereis\": 1,"}, "$.quereis", "unknown key", "(did you mean queries?)");
  check_refused({.more = "\"comment\": 1,"}, "$.comment", "unknown key",
                "one of W, about, claims, data_sha256, labels, loss, name, queries, source, tokens, v");
  check_refused({.more = "\"two words\": 1,"}, "$[\"two words\"]", "unknown key", "one of");
  check_refused({.more = "\"\": 1,"}, "$[\"\"]", "unknown key", "one of");
  check_refused({.more = "\"" + times(9999, "x") + "\": 1,"}, "$." + times(80, "x") + "…", "unknown key", "one of");
}

BOOST_AUTO_TEST_CASE(a_key_that_is_nothing_like_a_known_one_gets_no_suggestion) {
  const auto result = read_case_text(CaseText{.more = "\"comment\": 1,"}.text());
  BOOST_TEST(std::get<InputFault>(result).expected.find("did you mean") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_key_that_comes_twice_is_refused) {
  check_refused({.more = "\"v\": [1, 0], \"v\": [0, 1],"}, "$.v", "the key \"v\" a second time", "each key once");
  check_refused({.claims = R"([{"claim": "plain", "claim": "plain"}])"}, "$.claims[0].claim", "a second time", "each key once");
  check_refused({.more = R"("loss": {"expression": "u", "\u0065xpression": "u"},)"}, "$.loss.expression", "a second time", "each key once");
}

BOOST_AUTO_TEST_CASE(what_is_not_json_is_refused_where_it_stands) {
  check_text_refused("{\"v\": [1, NaN]}", "$.v[1]", "NaN", "a JSON value (a number, text in double quotes");
  check_text_refused("{\"v\": [1, NaN]}", "$.v[1]", "NaN", "at line 1, column 11 (invalid literal)");
  check_text_refused("{\"v\": [1,\n nan]}", "$.v[1]", "nan", "at line 2, column 3");
  check_text_refused("{\"v\": [-Infinity]}", "$.v[0]", "-Infinity", "a JSON value");
  check_text_refused("{\"v\": [1 2]}", "$.v[1]", "2", "',' or ']'");
  check_text_refused("{\"v\": [1,]}", "$.v[1]", "]", "a JSON value");
  check_text_refused("{\"v\": [1", "$.v[1]", "the end of the file", "',' or ']'");
  check_text_refused("{\"v\": 1,}", "$", "}", "a key in double quotes");
  check_text_refused("{\"v\" 1}", "$.v", "1", "':' after the key");
  check_text_refused("{\"v\": 1 \"W\": 2}", "$", "\"W\"", "',' or '}'");
  check_text_refused("{v: 1}", "$", "v", "a key in double quotes");
  check_text_refused("{\"v\": .5}", "$.v", ".5", "a JSON value");
  check_text_refused("{\"v\": 1.}", "$.v", "1.", "a JSON value");
  check_text_refused("{\"v\": +1}", "$.v", "+1", "a JSON value");
  check_text_refused("{\"v\": 'a'}", "$.v", "'", "a JSON value");
  check_text_refused("{\"v\": tru}", "$.v", "tru", "a JSON value");
  check_text_refused("{\"v\": 1} 2", "$", "2", "the end of the file at line 1, column 10");
  check_text_refused("{\"v\": 1} // x", "$", "/", "the end of the file");
  check_text_refused("{\"\xC3\xA4\": [NaN]}", "$[\"\xC3\xA4\"][0]", "NaN", "column 8");
}

BOOST_AUTO_TEST_CASE(text_that_is_not_text_is_refused) {
  check_text_refused("{\"about\": \"a\tb\"}", "$.about", "\"a<U+0009>", "control character U+0009");
  check_text_refused("{\"about\": \"a\xFF\"}", "$.about", "\"a\\xff", "ill-formed UTF-8");
  check_text_refused("{\"about\": \"\xC0\x80\"}", "$.about", "\\xc0", "ill-formed UTF-8");
  check_text_refused("{\"about\": \"\\ud800\"}", "$.about", "\\ud800", "surrogate");
  check_text_refused("{\"about\": \"\\x\"}", "$.about", "\"\\x", "invalid string");
  check_text_refused("{\"about\": \"a", "$.about", "the end of the file", "missing closing quote");
  check_text_refused("\xEF\xBB\xBF{}", "$", "a byte order mark", "UTF-8");
  check_text_refused(CaseText().text() + '\0' + "garbage", "$", "a NUL byte", "line 1");
  check_text_refused(std::string("\xFF\xFE{\0}\0", 6), "$", "a NUL byte", "");
}

BOOST_AUTO_TEST_CASE(nesting_without_end_is_refused) {
  check_text_refused("{\"v\": " + times(100'000, "["), "$.v" + times(99, "[0]"), "more than 100 levels", "a case");
}

BOOST_AUTO_TEST_CASE(names_are_checked_as_they_become_names_of_files) {
  for (const char* name : {"", "a/b", "a\\nb", "\\u007f", "\\u0085"})
    check_refused({.more = "\"name\": \"" + std::string(name) + "\","}, "$.name", "\"", "no '/' and no control characters");
  check_refused({.more = "\"name\": 3,"}, "$.name", "3", "text");
  check_refused({.more = "\"about\": [],"}, "$.about", "an empty array", "text");
  check_refused({.more = "\"source\": null,"}, "$.source", "null", "text");
  BOOST_TEST(accepted({.more = "\"name\": \"ä β.1\","}).name == "ä β.1");
}

BOOST_AUTO_TEST_CASE(a_file_name_that_cannot_be_a_name_is_refused_unless_a_name_is_given) {
  const ScratchFolder folder;
  for (const char* stem : {"a\xFF", "a\xC3", "\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "a\tb"}) {
    const auto nameless = read_case(folder.write(std::string(stem) + ".json", CaseText().text()), test_schemas());
    BOOST_TEST(std::get<InputFault>(nameless).path == "$.name", stem);
  }
  const auto named = read_case(folder.write("b\xFF.json", CaseText{.more = "\"name\": \"b\","}.text()), test_schemas());
  BOOST_TEST(std::holds_alternative<Case>(named));
}

BOOST_AUTO_TEST_CASE(a_loss_is_known_by_name_or_written) {
  for (const char* name : {"logistic", "exponential", "correlation"})
    BOOST_TEST(accepted({.more = "\"loss\": \"" + std::string(name) + "\","}).problem.loss.name() == name);
  const Case written = accepted({.more = "\"loss\": {\"expression\": \"log(1+exp(-u))\"},"});
  BOOST_TEST(written.problem.loss.name().empty());
  BOOST_TEST(written.problem.loss.expression().text() == "log(1+exp(-u))");
}

BOOST_AUTO_TEST_CASE(another_loss_is_refused) {
  check_refused({.more = "\"loss\": \"logistics\","}, "$.loss", "\"logistics\"",
                "one of correlation, exponential, logistic (did you mean logistic?)");
  check_refused({.more = "\"loss\": \"hinge\","}, "$.loss", "\"hinge\"", "one of correlation, exponential, logistic, or {\"expression\"");
  check_refused({.more = "\"loss\": 3,"}, "$.loss", "3", "one of correlation");
  check_refused({.more = "\"loss\": null,"}, "$.loss", "null", "one of correlation");
  check_refused({.more = "\"loss\": {},"}, "$.loss", "no expression", "an expression in u");
  check_refused({.more = "\"loss\": {\"expr\": \"u\"},"}, "$.loss.expr", "unknown key", "one of expression");
  check_refused({.more = "\"loss\": {\"expression\": 1},"}, "$.loss.expression", "1", "an expression in u");
  check_refused({.more = "\"loss\": {\"expression\": \"exp(-x)\"},"}, "$.loss.expression", "'x)' at character 6", "a number, u, '('");
  check_refused({.more = "\"loss\": {\"expression\": \"exp(-u\"},"}, "$.loss.expression", "the end of the expression", "')'");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
