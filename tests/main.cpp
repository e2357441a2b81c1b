#define BOOST_TEST_MODULE attest
#include <boost/test/unit_test.hpp>
