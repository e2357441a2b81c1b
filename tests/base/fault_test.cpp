#include "attest/base/fault.hpp"

#include <boost/test/unit_test.hpp>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(fault)

BOOST_AUTO_TEST_CASE(a_fault_names_the_file_the_place_what_stood_there_and_what_was_expected) {
  BOOST_TEST(to_string(InputFault{"a.json", "$.labels[2]", "0", "1 or -1"}) == "a.json: $.labels[2]: found 0, expected 1 or -1");
}

BOOST_AUTO_TEST_CASE(a_fault_of_the_whole_file_has_no_place) {
  BOOST_TEST(to_string(InputFault{"a.json", "", "no such file", "a case file"}) == "a.json: found no such file, expected a case file");
}

BOOST_AUTO_TEST_CASE(a_fault_without_a_file_begins_with_its_place) {
  BOOST_TEST(to_string(InputFault{"", "$.labels[2]", "7", "1 or -1"}) == "$.labels[2]: found 7, expected 1 or -1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
