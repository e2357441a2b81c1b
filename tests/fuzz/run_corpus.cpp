// run_corpus FILE_OR_FOLDER...: the target on each file, in the order of their names. A crash names the file; so does a file that takes
// more than its limits, which are against hangs and bombs only: a minute of CPU time, 4 GiB.
#include "target.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <iterator>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr rlim_t seconds_a_file = 60;
constexpr rlim_t most_bytes = rlim_t{4} << 30;

char at_work[4096] = "no file";

extern "C" void name_the_file(int signal) {
  const char said[] = "run_corpus: ended by a signal at ";
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, said, sizeof said - 1);
  written = ::write(STDERR_FILENO, at_work, std::strlen(at_work));
  written = ::write(STDERR_FILENO, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::vector<fs::path> files_of(int count, char** words) {
  std::vector<fs::path> files;
  for (int k = 0; k < count; ++k) {
    if (!fs::is_directory(words[k])) {
      files.emplace_back(words[k]);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(words[k]))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

void limit_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto limit = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds_a_file;
  const rlimit time{limit, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &time);
}

}  // namespace

int main(int count, char** words) {
#if !defined(__SANITIZE_ADDRESS__)  // whose shadow takes more addresses than any limit leaves
  const rlimit memory{most_bytes, most_bytes};
  setrlimit(RLIMIT_AS, &memory);
#endif
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGXCPU}) std::signal(signal, name_the_file);
  const std::vector<fs::path> files = files_of(count - 1, words + 1);
  for (const fs::path& file : files) {
    std::strncpy(at_work, file.c_str(), sizeof at_work - 1);
    limit_time();
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::cout << files.size() << " files, each ended in a value or a clear fault\n";
  return files.empty() ? 1 : 0;
}
