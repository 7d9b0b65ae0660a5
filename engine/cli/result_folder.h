// The folder of a run's results (`--out DIR`): rows and frames are streamed into temporary copies during the run, and
// everything appears at its end, summary.json last.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/frame_sampler.h"
#include "cli/part_files.h"
#include "cli/probe_table.h"
#include "cli/summary.h"
#include "cli/vtk_writer.h"

namespace tendril::cli {

struct ResultOptions {
  std::string folder;
  std::optional<double> rows;    ///< [s] between rows of probes.csv; default every accepted step
  std::optional<double> frames;  ///< frames a second of the scene; default none
  bool vtk = false;
  bool yes = false;  ///< at any size
};

/// Probe columns, then states, in their order.
std::vector<std::string> columnNames(const Simulation& simulation);
std::vector<double> columnValues(const Simulation& simulation);

/// The names that a run may write, beside vtk/NAME_000000.vtp.
std::vector<std::string> resultNames();

/// Writes the only result of a run without a first state. Throws FileError.
void writeSummaryAlone(const std::string& folder, const Summary& summary);

class ResultFolder {
 public:
  /// Creates the folder, opens the output files, and removes the results of the previous run, complete or not, because
  /// they would belong to other numbers. `until` [s] is the end of the run, `cut` the summary of a run that is ended
  /// within a step. Throws FileError: not possible, or another run is writing there.
  ResultFolder(const ResultOptions& options, const Simulation& simulation, double until, const Summary& cut);

  /// The current accepted state of the simulation. Throws FileError; what was written until then stays complete.
  void accept(const Simulation& simulation);
  /// Makes every file appear; adds to the summary's warnings. If not all of them fit, frames are dropped first, then
  /// the last rows. Returns what could not be written; such a loss turns a finished run into a stopped one. `besides`
  /// writes what belongs to the run but not into the folder, and may throw FileError.
  std::vector<std::string> finish(const Simulation& simulation, Summary& summary, const std::function<void()>& besides);
  /// Whether finish() lost nothing in the folder.
  bool isWhole() const { return whole_; }

 private:
  void reserveSummary(Summary& summary);
  bool makeRoom(bool ofRows);
  std::string folder_;
  bool whole_ = true;
  std::vector<std::string> dropped_;  // what was dropped to make room, not yet reported
  FolderLock lock_;
  std::unique_ptr<ProbeTable> table_;
  std::unique_ptr<AtomicFile> final_, summary_;
  std::unique_ptr<FrameFile> frames_;
  std::unique_ptr<VtkWriter> vtk_;
  std::unique_ptr<FrameSampler> sampler_;
};

}  // namespace tendril::cli
