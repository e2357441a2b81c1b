#pragma once

#include "attest/model/sweep_spec.hpp"
#include "attest/report/results.hpp"
#include "attest/run/run_options.hpp"

#include <functional>
#include <vector>

namespace attest {

/// Every N-th data set from the k-th on: what one machine of many does.
struct Shard {
  std::size_t k = 0;
  std::size_t N = 1;
};

/// The data sets of a shard by their numbers, without those that are done.
std::vector<std::size_t> data_sets_of(const SweepSpec& spec, const Shard& shard, const std::vector<Json>& done = {});

/// Hears what happens while data sets are checked.
struct SweepMonitor {
  std::function<void(const Json& row)> row_done;  ///< in the order in which they finish
  std::function<void(std::size_t done, std::size_t total)> progress;
};

/// Checks the claims on each of the data sets, in up to `jobs` worker processes. The budget is that of a claim. A row is
/// {"index", "n", "T", "d", "noise", "run", "seed", "claims": [{"claim", "label", "selection", "verdict", "grade", "applies", "numbers"}],
/// "seconds"}: of the numbers those that are neither lists nor long texts; "applies" of theorems alone: all hypotheses hold. A data set
/// whose worker ends early has undecided claims and "ended_early", the reason.
void run_sweep(const SweepSpec& spec, const std::vector<std::size_t>& data_sets, const RunOptions& options, const SweepMonitor& monitor);

/// What the rows say of each point of the grid: counts of verdicts, shares with 95 % intervals (Wilson's score), means of numbers with
/// theirs: Wilson's of a number that is 0 or 1 on each data set, else 1.96 standard errors. {"attest", "sweep": {"name", "about", "law",
/// "runs", "seed", "n", "T", "d", "noise", "size", "done"}, "cells": [{"n", "T", "d", "noise", "count", "claims":
/// [{"claim", "label", "holds", "fails", "undecided", "inapplicable", "proved", "share", "low", "high", "applies": {"share", "low",
/// "high"}, "means": {NAME: {"mean", "low", "high", "count"}}}]}]}
Json summarize_sweep(const SweepSpec& spec, const std::vector<Json>& rows, const RunInfo& info);

}  // namespace attest
