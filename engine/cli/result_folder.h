// The folder of a run's results (`--out DIR`): rows and frames stream into it aside while the run goes, and everything
// appears at its end, summary.json last.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/frame_sampler.h"
#include "cli/probe_table.h"
#include "cli/summary.h"
#include "cli/vtk_writer.h"

namespace tendril::cli {

struct ResultOptions {
  std::string folder;
  std::optional<double> rows;    ///< [s] between rows of probes.csv; default every accepted step
  std::optional<double> frames;  ///< frames a second of the scene; default none
  bool vtk = false;
};

/// Probe columns, then states, as they stand.
std::vector<std::string> columnNames(const Simulation& simulation);
std::vector<double> columnValues(const Simulation& simulation);

class ResultFolder {
 public:
  /// Makes the folder and opens what will be streamed; `until` [s] is where the run will end. Throws FileError.
  ResultFolder(const ResultOptions& options, const Simulation& simulation, double until);

  /// The accepted state at which the simulation stands. Throws FileError.
  void accept(const Simulation& simulation);
  /// Lets every file appear; adds to the summary's warnings. Throws FileError.
  void finish(const Simulation& simulation, Summary& summary);

 private:
  std::string folder_;
  std::unique_ptr<ProbeTable> table_;
  std::unique_ptr<FrameFile> frames_;
  std::unique_ptr<VtkWriter> vtk_;
  std::unique_ptr<FrameSampler> sampler_;
};

}  // namespace tendril::cli
