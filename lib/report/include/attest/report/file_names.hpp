#pragma once

#include <set>
#include <string>

namespace attest {

/// Names of files that are safe and differ from each other: letters, digits, - and _, anything else becomes _.
class FileNames {
 public:
  std::string unique(const std::string& wished);

 private:
  std::set<std::string> taken_;
};

}  // namespace attest
