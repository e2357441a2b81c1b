#include "attest/base/verdict.hpp"

#include <boost/test/unit_test.hpp>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(verdict)

BOOST_AUTO_TEST_CASE(every_verdict_and_grade_is_read_back_from_its_name) {
  for (const Verdict value : {Verdict::holds, Verdict::fails, Verdict::undecided, Verdict::inapplicable})
    BOOST_TEST((parse_verdict(name_of(value)) == value));
  for (const Grade value : {Grade::observed, Grade::proved}) BOOST_TEST((parse_grade(name_of(value)) == value));
}

BOOST_AUTO_TEST_CASE(other_words_are_neither_verdict_nor_grade) {
  for (const char* word : {"", "Holds", "holds ", "true", "proved"}) BOOST_TEST(!parse_verdict(word).has_value());
  for (const char* word : {"", "Proved", "observed ", "holds"}) BOOST_TEST(!parse_grade(word).has_value());
}

BOOST_AUTO_TEST_CASE(proved_is_the_better_grade) { BOOST_TEST((Grade::proved > Grade::observed)); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
