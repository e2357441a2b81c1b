#include "attest/model/training_run.hpp"

#include "archive.hpp"
#include "attest/model/npy.hpp"
#include "npz_writer.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <numeric>

namespace attest {
namespace {

constexpr std::array<std::string_view, 6> known_arrays{"p", "W", "K", "Q", "v", "step"};
constexpr std::string_view how_to_write_run = "numpy.savez(\"run.npz\", p=numpy.stack(ps)) writes one";

/// Thrown while a run is read; read_training_run is where it ends.
struct RunFault {
  std::string array;
  std::string found;
  std::string expected;
};

/// An axis of an expected shape: an extent, or a name for any.
struct Extent {
  std::string text;
  std::size_t value = 0;  ///< 0: any
};

std::string shape_wanted(const std::vector<Extent>& extents) {
  std::string text = "(";
  for (const Extent& extent : extents) text += (text.size() > 1 ? ", " : "") + extent.text;
  return text + (extents.size() == 1 ? ",)" : ")");
}

bool fits(const std::vector<std::size_t>& shape, const std::vector<Extent>& extents) {
  if (shape.size() != extents.size()) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] == 0 || (extents[axis].value != 0 && shape[axis] != extents[axis].value)) return false;
  return true;
}

class RunReader {
 public:
  RunReader(const std::filesystem::path& file, const Problem& problem)
      : file_(file), d_(problem.dimension()), has_head_(problem.v.has_value()), names_(archive_arrays(file)) {}

  TrainingRun read() {
    TrainingRun run;
    run.path = file_;
    read_trained(run);
    if (has("v")) run.heads = read_array("v", {steps(run), dimension()}).values;
    if (!has("v") && !has_head_) throw RunFault{"v", "no such array, and no v in the data", "v (steps, d) in the run, or v in the data"};
    run.steps = read_steps(run);
    for (const std::string& name : names_)
      if (std::ranges::find(known_arrays, name) == known_arrays.end()) run.unread.push_back(printable(name));
    return run;
  }

 private:
  bool has(std::string_view array) const { return std::ranges::find(names_, array) != names_.end(); }
  Extent dimension() const { return {std::to_string(d_), d_}; }
  static Extent steps(const TrainingRun& run) { return {std::to_string(run.count), run.count}; }

  void read_trained(TrainingRun& run) {
    if ((has("p") ? 1 : 0) + (has("W") ? 1 : 0) + (has("K") || has("Q") ? 1 : 0) != 1)
      throw RunFault{"", listed(),
                     "exactly one of p (steps, d), W (steps, d, d), or K and Q (steps, d, m): " + std::string(how_to_write_run)};
    if (has("p")) {
      take(run, TrainingRun::Trained::prompt, read_array("p", {{"steps"}, dimension()}));
    } else if (has("W")) {
      take(run, TrainingRun::Trained::weights, read_array("W", {{"steps"}, dimension(), dimension()}));
    } else {
      for (const char* name : {"K", "Q"})
        if (!has(name)) throw RunFault{name, "no such array", "K and Q, both of shape (steps, d, m)"};
      NumericArray keys = read_array("K", {{"steps"}, dimension(), {"m"}});
      run.columns = keys.shape[2];
      take(run, TrainingRun::Trained::factors, std::move(keys));
      run.queries = read_array("Q", {steps(run), dimension(), {std::to_string(run.columns), run.columns}}).values;
    }
  }

  static void take(TrainingRun& run, TrainingRun::Trained trained, NumericArray array) {
    run.trained = trained;
    run.count = array.shape[0];
    run.values = std::move(array.values);
  }

  std::vector<double> read_steps(const TrainingRun& run) {
    std::vector<double> numbers(run.count);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    if (!has("step")) return numbers;
    numbers = read_array("step", {steps(run)}).values;
    const auto back = std::ranges::adjacent_find(numbers, std::greater_equal<>());
    if (back != numbers.end())
      throw RunFault{"step", "no ascent from [" + std::to_string(back - numbers.begin()) + "] to the next",
                     "steps that ascend, one a checkpoint"};
    return numbers;
  }

  NumericArray read_array(const std::string& name, const std::vector<Extent>& extents) const {
    auto result = attest::read_array(file_, name);
    if (const auto* fault = std::get_if<ArrayFault>(&result)) throw RunFault{name, printable(fault->found), fault->expected};
    NumericArray array = std::get<NumericArray>(std::move(result));
    if (!fits(array.shape, extents))
      throw RunFault{
          name, "shape " + shape_text(array.shape),
          "shape " + shape_wanted(extents) + ", with d = " + std::to_string(d_) + " as in the data: " + std::string(how_to_write_run)};
    if (array.booleans) throw RunFault{name, "booleans", "numbers"};
    const auto wrong = std::ranges::find_if(array.values, [](double number) { return !std::isfinite(number); });
    if (wrong != array.values.end())
      throw RunFault{
          name,
          (std::isnan(*wrong) ? "nan" : "inf") + (" at " + index_text(array.shape, static_cast<std::size_t>(wrong - array.values.begin()))),
          "finite numbers: leave out the checkpoints from there on"};
    return array;
  }

  std::string listed() const {
    std::string text;
    for (const std::string& name : names_) text += (text.empty() ? "the arrays " : ", ") + printable(name);
    return text.empty() ? "no arrays" : text;
  }

  const std::filesystem::path& file_;
  std::size_t d_;
  bool has_head_;
  std::vector<std::string> names_;
};

}  // namespace

std::string_view name_of(TrainingRun::Trained trained) {
  switch (trained) {
    case TrainingRun::Trained::prompt: return "p";
    case TrainingRun::Trained::weights: return "W";
    case TrainingRun::Trained::factors: break;
  }
  return "K, Q";
}

std::string npz_bytes(const TrainingRun& run) {
  return npz_bytes({{"p", {{run.count, run.values.size() / run.count}, run.values}}, {"step", {{run.count}, run.steps}}});
}

OrFault<TrainingRun> read_training_run(const std::filesystem::path& file, const std::string& name, const Problem& problem) {
  try {
    TrainingRun run = RunReader(file, problem).read();
    run.file = name;
    return run;
  } catch (const RunFault& fault) {
    return InputFault{file.string(), fault.array, fault.found, fault.expected};
  } catch (const ArrayFault& fault) {
    return InputFault{file.string(), "", printable(fault.found), fault.expected};
  } catch (const std::bad_alloc&) {
    return InputFault{file.string(), "", "a run that does not fit into this machine's memory", "fewer checkpoints"};
  }
}

}  // namespace attest
