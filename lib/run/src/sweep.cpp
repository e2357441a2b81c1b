#include "attest/run/sweep.hpp"

#include "attest/base/cpu_time.hpp"
#include "attest/claims/claim.hpp"
#include "attest/report/label.hpp"
#include "claim_seed.hpp"
#include "worker_process.hpp"

#include <poll.h>

#include <algorithm>
#include <list>
#include <set>

namespace attest {
namespace {

/// What a row keeps of a claim's numbers.
Json short_numbers(const Json& numbers) {
  constexpr std::size_t longest_text = 64;
  Json kept = Json::object();
  for (const auto& [name, value] : numbers.items())
    if (value.is_primitive() && (!value.is_string() || value.get_ref<const std::string&>().size() <= longest_text)) kept[name] = value;
  return kept;
}

/// Of a theorem: whether all of its hypotheses hold.
std::optional<bool> applies(const Json& entry) {
  const auto hypotheses = entry.find("hypotheses");
  if (hypotheses == entry.end()) return std::nullopt;
  return std::ranges::all_of(*hypotheses, [](const Json& one) { return one.at("verdict") == name_of(Verdict::holds); });
}

Json row_head(const SweepSpec& spec, std::size_t index) {
  const EnsemblePoint& point = spec.cell(index).point;
  return {{"index", index},
          {"n", point.n},
          {"T", point.T},
          {"d", point.d},
          {"noise", point.noise},
          {"run", spec.run(index)},
          {"seed", spec.seed_of(index)}};
}

Json row_of(const SweepSpec& spec, std::size_t index, std::vector<Json> entries, double seconds) {
  const std::vector<std::string> labels = claim_labels(Json(entries));
  Json row = row_head(spec, index);
  row["claims"] = Json::array();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Json& entry = entries[k];
    Json claim = {{"claim", entry.at("claim")},
                  {"label", labels[k]},
                  {"selection", entry.at("selection")},
                  {"verdict", entry.at("verdict")},
                  {"grade", entry.at("grade")}};
    if (const auto all_hold = applies(entry)) claim["applies"] = *all_hold;
    claim["numbers"] = short_numbers(entry.at("numbers"));
    row["claims"].push_back(std::move(claim));
  }
  row["seconds"] = seconds;
  return row;
}

Json check_data_set(const SweepSpec& spec, std::size_t index, const RunOptions& options) {
  const double begin = cpu_seconds();
  const Problem problem = spec.problem(index);
  Study study(problem);
  std::vector<Json> entries;
  for (const ClaimRequest& request : spec.cell(index).claims) {
    const std::uint64_t seed = claim_seed(spec.seed_of(index), spec.name, request.claim);
    const Finding finding = find_claim(request.claim)->check({study, request, seed, Budget(options.budget_seconds), {}, true});
    entries.push_back(claim_entry(request, finding, {}, 0));
  }
  return row_of(spec, index, std::move(entries), cpu_seconds() - begin);
}

/// A data set whose worker ended before it.
Json early_row(const SweepSpec& spec, std::size_t index, const WorkerProcess::End& end, const std::string& known_reason) {
  std::vector<Json> entries;
  for (const ClaimRequest& request : spec.cell(index).claims) entries.push_back(claim_entry(request, Finding(), {}, 0));
  Json row = row_of(spec, index, std::move(entries), end.cpu_seconds);
  row["ended_early"] = known_reason.empty() ? end.reason : known_reason;
  return row;
}

/// The limit of a data set: what its claims may use.
RunOptions for_data_set(const SweepSpec& spec, RunOptions options) {
  options.budget_seconds *= static_cast<double>(std::max<std::size_t>(1, spec.cells.front().claims.size()));
  return options;
}

/// Worker processes that take one data set after the other.
class SweepPool {
 public:
  SweepPool(const SweepSpec& spec, const std::vector<std::size_t>& data_sets, const RunOptions& options, const SweepMonitor& monitor)
      : spec_(spec), data_sets_(data_sets), options_(options), limits_(for_data_set(spec, options)), monitor_(monitor) {}

  void run() {
    while (done_ < data_sets_.size()) {
      while (workers_.size() < options_.jobs && next_ < data_sets_.size()) start_worker();
      listen();
      end_late_workers();
      workers_.remove_if([](const Worker& worker) { return worker.retired; });
    }
  }

 private:
  struct Worker {
    explicit Worker(const std::function<void(MessageStream&)>& work) : process(work) {}
    WorkerProcess process;
    std::size_t data_set = 0;
    bool retired = false;
  };

  void start_worker() {
    hand_out(workers_.emplace_back([this](MessageStream& parent) {
      while (const auto requests = parent.receive())
        for (const Json& request : *requests)
          parent.send({{"row", check_data_set(spec_, request.at("index").get<std::size_t>(), options_)}});
    }));
  }

  void hand_out(Worker& worker) {
    if (next_ == data_sets_.size()) {
      worker.retired = true;
      return;
    }
    worker.data_set = data_sets_[next_++];
    worker.process.begin_task();
    worker.process.send({{"index", worker.data_set}});  // if it is gone, its end will be heard
  }

  void listen() {
    std::vector<pollfd> sockets;
    for (const Worker& worker : workers_) sockets.push_back({worker.process.socket(), POLLIN, 0});
    constexpr int wait_milliseconds = 100;
    ::poll(sockets.data(), sockets.size(), wait_milliseconds);
    auto socket = sockets.begin();
    for (Worker& worker : workers_) {
      if ((socket++)->revents == 0) continue;
      const auto messages = worker.process.receive();
      if (!messages) {
        bury(worker, "");
        continue;
      }
      for (const Json& message : *messages) {
        take(message.at("row"));
        hand_out(worker);
      }
    }
  }

  void end_late_workers() {
    for (Worker& worker : workers_) {
      if (worker.retired) continue;
      const std::string reason = worker.process.why_late(limits_);
      if (reason.empty()) continue;
      worker.process.kill();
      bury(worker, reason);
    }
  }

  void bury(Worker& worker, const std::string& known_reason) {
    take(early_row(spec_, worker.data_set, worker.process.wait(), known_reason));
    worker.retired = true;
  }

  void take(const Json& row) {
    ++done_;
    monitor_.row_done(row);
    if (monitor_.progress) monitor_.progress(done_, data_sets_.size());
  }

  const SweepSpec& spec_;
  const std::vector<std::size_t>& data_sets_;
  const RunOptions& options_;
  RunOptions limits_;
  const SweepMonitor& monitor_;
  std::list<Worker> workers_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

std::vector<std::size_t> data_sets_of(const SweepSpec& spec, const Shard& shard, const std::vector<Json>& done) {
  std::set<std::size_t> known;
  for (const Json& row : done) known.insert(row.at("index").get<std::size_t>());
  std::vector<std::size_t> data_sets;
  for (std::size_t index = shard.k; index < spec.size(); index += shard.N)
    if (!known.contains(index)) data_sets.push_back(index);
  return data_sets;
}

void run_sweep(const SweepSpec& spec, const std::vector<std::size_t>& data_sets, const RunOptions& options, const SweepMonitor& monitor) {
  SweepPool(spec, data_sets, options, monitor).run();
}

}  // namespace attest
