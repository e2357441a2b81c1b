#pragma once

#include "attest/base/fault.hpp"
#include "attest/model/problem.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What an optimiser wrote down of a training run: what it trained, at each of its checkpoints. The numbers are exactly those of the file.
struct TrainingRun {
  enum class Trained {
    prompt,   ///< p
    weights,  ///< W, by rows
    factors,  ///< W = K Q^T
  };

  std::string file;            ///< as the case names it
  std::filesystem::path path;  ///< where it was read
  Trained trained = Trained::prompt;
  std::size_t count = 0;                 ///< of checkpoints, at least 1
  std::size_t columns = 0;               ///< m of factors
  std::vector<double> values;            ///< a checkpoint after the other; of factors those of K
  std::vector<double> queries;           ///< of factors alone: those of Q
  std::vector<double> heads;             ///< v, a checkpoint after the other; empty where the run has none
  std::vector<double> steps;             ///< ascending: the file's, or 0, 1, 2, ...
  std::vector<std::string> unread = {};  ///< arrays of the file that nobody looks at
};

/// "p", "W" or "K, Q".
std::string_view name_of(TrainingRun::Trained trained);

/// Reads a .npz with the arrays p (steps, d), or W (steps, d, d), or K and Q (steps, d, m), and perhaps v (steps, d) and step (steps,). The
/// data or the run must have a v. `name` is what the run is called in a case.
OrFault<TrainingRun> read_training_run(const std::filesystem::path& file, const std::string& name, const Problem& problem);

/// The bytes of a .npz that numpy and read_training_run read: a run over p, with its steps.
std::string npz_bytes(const TrainingRun& run);

}  // namespace attest
