#include "row_scan.hpp"

#include "row_values.hpp"

#include <limits>

namespace attest {
namespace {

class Scan {
 public:
  Scan(const SvmProgram& program, const FractionVector& point) : program_(program), values_(program, point) {}

  RowScan run() {
    values_.of_all([&](std::size_t row, const BoundedValue& value) { settle(row, value); });
    return std::move(result_);
  }

 private:
  void settle(std::size_t row, const BoundedValue& value) {
    const double slack = value.value - program_.bound(row);
    if (slack > value.error) return;
    int sign = -1;
    if (!(slack < -value.error)) sign = (values_.exact(row) - program_.bound(row)).sign();  // NaN and infinity come here too
    if (sign == 0) result_.tight.push_back(row);
    if (sign < 0 && (!result_.most_violated || !(slack >= least_slack_))) {
      result_.most_violated = row;
      least_slack_ = slack;
    }
  }

  const SvmProgram& program_;
  RowValues values_;
  RowScan result_;
  double least_slack_ = std::numeric_limits<double>::infinity();
};

}  // namespace

RowScan scan_rows(const SvmProgram& program, const FractionVector& point) { return Scan(program, point).run(); }

}  // namespace attest
