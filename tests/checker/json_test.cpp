#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(json)

namespace {

bool reads(const std::string& text) {
  try {
    (void)JsonDocument::parse(text);
    return true;
  } catch (const Rejected&) {
    return false;
  }
}

std::string decoded(const std::string& text) { return JsonDocument::parse(text).root().string(); }

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

BOOST_AUTO_TEST_CASE(well_formed_values_are_read) {
  for (const char* text :
       {"0", "-0", "1.5e+3", "1E5", "\"\"", "true", "false", "null", "[]", "{}", " [ 1 , {\"a\" : [] , \"b\":{}} ] \n\t\r", "[[],[],{}]"})
    BOOST_TEST(reads(text), text);
}

BOOST_AUTO_TEST_CASE(malformed_values_are_refused) {
  for (const char* text :
       {"",    " ",      "[1,]",  "[,1]",     "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "[1 2]",  "[1",  "{\"a\":1",  "]",
        "01",  "-",      "+1",    ".5",       "1.",         "1e",    "1e+",       "0x1",    "NaN", "Infinity",  "-Infinity",
        "nan", "True",   "tru",   "nul",      "'a'",        "[1]]",  "{} {}",     "1 // x", "[1}", "{\"a\":1]", "\xEF\xBB\xBF{}",
        "\"a", "\"\\\"", "{1:2}", "{\"a\":}", "[\x01]"})
    BOOST_TEST(!reads(text), text);
  BOOST_TEST(!reads(std::string("[1]\0", 4)));
}

BOOST_AUTO_TEST_CASE(a_duplicate_key_is_refused_at_any_depth_and_spelling) {
  BOOST_TEST(reads(R"({"a":1,"b":{"a":1}})"));
  BOOST_TEST(!reads(R"({"a":1,"a":1})"));
  BOOST_TEST(!reads(R"([{"x":{"a":1,"b":2,"\u0061":3}}])"));
}

BOOST_AUTO_TEST_CASE(strings_are_decoded) {
  BOOST_TEST(decoded(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  BOOST_TEST(decoded(R"("\u0041\u00e9\u20AC\ud83d\ude00")") == "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  BOOST_TEST(decoded("\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\x7F\"") == "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\x7F");
  BOOST_TEST(decoded(R"("\u0000")") == std::string(1, '\0'));
}

BOOST_AUTO_TEST_CASE(strings_that_are_not_utf8_are_refused) {
  for (const char* text : {"\"\x80\"",
                           "\"\xC3\"",
                           "\"\xC0\x80\"",
                           "\"\xC1\xBF\"",
                           "\"\xE0\x80\x80\"",
                           "\"\xED\xA0\x80\"",
                           "\"\xF0\x80\x80\x80\"",
                           "\"\xF4\x90\x80\x80\"",
                           "\"\xF5\x80\x80\x80\"",
                           "\"\xE2\x82\"",
                           "\"\xFF\"",
                           "\"\n\"",
                           "\"\t\"",
                           R"("\x")",
                           R"("\u12")",
                           R"("\u12G4")",
                           R"("\ud83d")",
                           R"("\ude00")",
                           R"("\ud83dx")",
                           R"("\ud83d\u0041")",
                           R"("\ude00\ude00")"})
    BOOST_TEST(!reads(text), text);
}

BOOST_AUTO_TEST_CASE(nesting_is_limited_without_a_crash) {
  BOOST_TEST(reads(nested(10'000)));
  BOOST_TEST(!reads(nested(10'001)));
  BOOST_TEST(!reads(std::string(5'000'000, '[')));
  std::string objects;
  for (int i = 0; i < 9'999; ++i) objects += "{\"a\":";
  BOOST_TEST(reads(objects + "[]" + std::string(9'999, '}')));
  BOOST_TEST(!reads(objects + "[[]]" + std::string(9'999, '}')));
}

BOOST_AUTO_TEST_CASE(numbers_keep_their_source_text) {
  const JsonDocument document = JsonDocument::parse("[1.50e+03, -0, 123456789012345678901]");
  const auto& items = document.root().array(3);
  BOOST_TEST(items[0]->text == "1.50e+03");
  BOOST_TEST(items[1]->text == "-0");
  BOOST_TEST(items[2]->text == "123456789012345678901");
}

BOOST_AUTO_TEST_CASE(an_index_is_digits_up_to_two_to_the_31_less_one) {
  const auto index = [](const std::string& text) { return JsonDocument::parse(text).root().index(); };
  BOOST_TEST(index("0") == 0U);
  BOOST_TEST(index("2147483647") == 2147483647U);
  for (const char* text : {"-0", "-1", "1.0", "1e0", "2147483648", "99999999999999999999999", "\"1\"", "true", "null", "[]"})
    BOOST_CHECK_THROW((void)index(text), Rejected);
}

BOOST_AUTO_TEST_CASE(a_path_names_the_place_and_stays_short) {
  const JsonDocument document = JsonDocument::parse(R"({"a":[0,{"b":[7,8]}]})");
  BOOST_TEST(document.root().at("a").items[1]->at("b").items[1]->path() == "a[1].b[1]");
  BOOST_TEST(document.root().path() == "the file");
  const JsonDocument deep = JsonDocument::parse("{\"tree\":" + nested(5000) + "}");
  const Json* node = &deep.root().at("tree");
  while (!node->items.empty()) node = node->items.front();
  BOOST_TEST(node->path().size() < 64U);
  BOOST_TEST(node->path().starts_with("tree[0][0]"));
}

BOOST_AUTO_TEST_CASE(quoted_text_is_printable) {
  BOOST_TEST(in_quotes("a\n\x1B[31m\xC3\xA9") == "\"a??[31m??\"");
  BOOST_TEST(in_quotes(std::string(1000, 'x')).size() < 64U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
