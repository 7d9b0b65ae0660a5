// Chooses the output times and hands each accepted state to the writers.
#include "cli/result_folder.h"

#include <filesystem>
#include <functional>
#include <vector>

#include "cli/part_files.h"

namespace tendril::cli {

namespace {

/// Without `--frames`, ParaView files are written at this many even times and at the start.
constexpr int vtkMoments = 100;

}  // namespace

std::vector<std::string> columnNames(const Simulation& simulation) {
  std::vector<std::string> names = simulation.columns();
  for (const auto& state : simulation.states()) names.push_back(state.first);
  return names;
}

std::vector<double> columnValues(const Simulation& simulation) {
  const std::span<const double> probes = simulation.values();
  std::vector<double> values(probes.begin(), probes.begin() + static_cast<long>(simulation.columns().size()));
  for (const auto& state : simulation.states()) values.push_back(state.second);
  return values;
}

namespace {

bool isVtkResult(const std::string& name) {
  if (name == "scene.pvd") return true;
  const std::size_t n = name.size();
  return n > 11 && name.substr(n - 4) == ".vtp" && name[n - 11] == '_' &&
         name.find_first_not_of("0123456789", n - 10) == n - 4;
}

/// Frames of an earlier run in the same folder would belong to other numbers than the new summary.
void removeEarlier(const std::string& folder) {
  std::error_code ignored;  // what cannot be removed is replaced where this run writes it
  std::filesystem::remove(folder + "/frames.ndjson", ignored);
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/vtk", ignored)) {
    if (isVtkResult(entry.path().filename().string())) old.push_back(entry.path());
  }
  for (const auto& path : old) std::filesystem::remove(path, ignored);
}

}  // namespace

ResultFolder::ResultFolder(const ResultOptions& options, const Simulation& simulation, double until, const Summary& cut)
    : folder_(options.folder) {
  makeFolder(folder_);
  sweepParts(folder_);
  sweepParts(folder_ + "/vtk");
  removeEarlier(folder_);
  final_ = std::make_unique<AtomicFile>(folder_ + "/final.json", AtomicFile::WhenCut::dropOld);
  summary_ = std::make_unique<AtomicFile>(folder_ + "/summary.json", AtomicFile::WhenCut::keep);
  summary_->rewrite(cut.json());
  const double start = simulation.time(), dt = simulation.stepSize();
  std::optional<Ticks> rows;
  if (options.rows) rows.emplace(*options.rows, start, dt);
  table_ = std::make_unique<ProbeTable>(folder_ + "/probes.csv", columnNames(simulation), rows);
  if (!options.frames && !options.vtk) return;
  if (options.frames) frames_ = std::make_unique<FrameFile>(folder_ + "/frames.ndjson");
  if (options.vtk) vtk_ = std::make_unique<VtkWriter>(folder_ + "/vtk");
  std::optional<Ticks> ticks;
  if (!simulation.isStatic() && options.frames)
    ticks.emplace(1 / *options.frames, start, dt);
  else if (!simulation.isStatic() && until > start)
    ticks.emplace((until - start) / vtkMoments, start, dt, start);
  sampler_ = std::make_unique<FrameSampler>(ticks, [this](double time, const Bodies& bodies) {
    if (frames_) frames_->add(time, bodies);
    if (vtk_) vtk_->add(time, bodies);
  });
}

void ResultFolder::accept(const Simulation& simulation) {
  table_->accept(simulation.time(), columnValues(simulation));
  if (sampler_) sampler_->accept(simulation.time(), simulation.bodies());
}

/// Gives up a large file beside which the others do not fit, or a part of one. False: there is none.
bool ResultFolder::makeRoom(Summary& summary) {
  if (frames_) {
    frames_.reset();
    std::error_code ignored;
    std::filesystem::remove(folder_ + "/frames.ndjson", ignored);
    summary.warnings.push_back("frames.ndjson is left out, for the other files did not fit beside it");
    return true;
  }
  if (!vtk_ || !vtk_->dropLast()) return false;
  const std::string told = "the last files for ParaView are left out, for the other files did not fit beside them";
  if (summary.warnings.empty() || summary.warnings.back() != told) summary.warnings.push_back(told);
  return true;
}

std::vector<std::string> ResultFolder::finish(const Simulation& simulation, Summary& summary) {
  std::vector<std::string> lost;
  const auto keep = [&](const std::function<void()>& write, const std::function<void()>& otherwise) {
    try {
      for (;;) {
        try {
          return write();
        } catch (const FileError& error) {
          if (makeRoom(summary)) continue;
          lost.push_back(error.what());
          return otherwise();
        }
      }
    } catch (const FileError&) {  // nothing of it fits
    }
  };
  const auto nothing = [] {};
  const BodyJson last = bodyJson(simulation.bodies(), std::nullopt);
  if (!last.finite) summary.warnings.push_back("final.json: numbers that are not finite are written as null");
  if (frames_ && !frames_->finite())
    summary.warnings.push_back("frames.ndjson: numbers that are not finite are written as null");
  keep([&] { table_->commit(); }, [&] { table_->commitWritten(); });
  keep(
      [&] {
        final_->rewrite(last.text + "\n");
        final_->commit();
      },
      nothing);
  keep(
      [&] {
        if (frames_) frames_->commit();
      },
      nothing);
  keep(
      [&] {
        if (vtk_) vtk_->commit();
      },
      nothing);
  for (const std::string& reason : lost) summary.warnings.push_back(reason);
  keep(
      [&] {
        summary_->rewrite(summary.json());
        summary_->commit();
      },
      nothing);
  return lost;
}

}  // namespace tendril::cli
