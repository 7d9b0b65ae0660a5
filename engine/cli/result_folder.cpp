// Chooses the output times and passes each accepted state to the writers.
#include "cli/result_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <utility>
#include <vector>

namespace tendril::cli {

namespace {

/// Without `--frames`, ParaView files are written at this many even times, and at the start.
constexpr int vtkFrames = 100;
/// [bytes] by which the summary may grow while the other files are written.
constexpr std::size_t summaryRoom = 4096;

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

/// How each result file begins; other files of that name belong to the user.
const std::vector<std::pair<std::string, std::string>>& resultBeginnings() {
  static const std::vector<std::pair<std::string, std::string>> table = {{"summary.json", "{\n  \"status\""},
                                                                         {"final.json", "{\"nodes\""},
                                                                         {"probes.csv", "t"},
                                                                         {"frames.ndjson", "{\"t\":"},
                                                                         {"vtk/scene.pvd", VtkWriter::beginning}};
  return table;
}

bool begins(const std::filesystem::path& path, const std::string& beginning) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string found(beginning.size(), '\0');
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  return found == beginning;
}

/// Removes the previous run's results, the summary first, so that it never appears beside other numbers; all or none.
void removeEarlier(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> old;
  for (const auto& [name, beginning] : resultBeginnings())
    if (begins(folder + "/" + name, beginning)) old.emplace_back(folder + "/" + name);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder + "/vtk", error))
    if (entry.path().extension() == ".vtp" && begins(entry.path(), VtkWriter::beginning)) old.push_back(entry.path());
  // Symbolic links are followed: their targets are replaced, and the links stay.
  for (fs::path& path : old) path = fs::canonical(path, error);
  for (const fs::path& path : old) {
    if (::access(path.parent_path().c_str(), W_OK | X_OK) != 0)
      throw FileError("cannot remove " + path.string() + " of the run before: " + std::strerror(errno));
  }
  for (const fs::path& path : old) {
    fs::remove(path, error);
    if (error) throw FileError("cannot remove " + path.string() + " of the run before: " + error.message());
  }
}

std::string madeFolder(const std::string& folder) {
  makeFolder(folder);
  return folder;
}

void sweepFolder(const std::string& folder) {
  sweepParts(folder);
  sweepParts(folder + "/vtk");
}

}  // namespace

std::vector<std::string> resultNames() {
  std::vector<std::string> names;
  for (const auto& [name, beginning] : resultBeginnings()) names.push_back(name);
  return names;
}

void writeSummaryAlone(const std::string& folder, const Summary& summary) {
  makeFolder(folder);
  const FolderLock lock(folder);
  sweepFolder(folder);
  AtomicFile file(folder + "/summary.json");
  removeEarlier(folder);
  file.write(summary.json());
  file.commit();
}

ResultFolder::ResultFolder(const ResultOptions& options, const Simulation& simulation, double until, const Summary& cut)
    : folder_(madeFolder(options.folder)), lock_(folder_) {
  sweepFolder(folder_);
  final_ = std::make_unique<AtomicFile>(folder_ + "/final.json", AtomicFile::WhenCut::dropOld);
  summary_ = std::make_unique<AtomicFile>(folder_ + "/summary.json", AtomicFile::WhenCut::keep);
  summary_->rewrite(cut.json());
  const double start = simulation.time(), dt = simulation.stepSize();
  std::optional<Ticks> rows;
  if (options.rows) rows.emplace(*options.rows, start, dt);
  table_ = std::make_unique<ProbeTable>(
      folder_ + "/probes.csv", columnNames(simulation), rows,
      [&simulation](const auto& from, const auto& to, double weight) { return simulation.between(from, to, weight); });
  if (options.frames) frames_ = std::make_unique<FrameFile>(folder_ + "/frames.ndjson");
  if (options.vtk) vtk_ = std::make_unique<VtkWriter>(folder_ + "/vtk");
  removeEarlier(folder_);
  if (!options.frames && !options.vtk) return;
  std::optional<Ticks> ticks;
  if (!simulation.isStatic() && options.frames)
    ticks.emplace(1 / *options.frames, start, dt);
  else if (!simulation.isStatic() && until > start)
    ticks.emplace((until - start) / vtkFrames, start, dt, start);
  sampler_ = std::make_unique<FrameSampler>(ticks, [this](double time, const Bodies& bodies) {
    if (frames_) frames_->add(time, bodies);
    if (vtk_) vtk_->add(time, bodies);
  });
}

void ResultFolder::accept(const Simulation& simulation) {
  table_->accept(simulation.time(), columnValues(simulation));
  if (sampler_) sampler_->accept(simulation.time(), simulation.bodies());
}

/// Drops a large file, or a part of it, that leaves no room for the others. False: there is none.
bool ResultFolder::makeRoom(bool ofRows) {
  std::string reported = "frames.ndjson is left out: the other files did not fit beside it";
  if (frames_) {
    frames_.reset();
    std::error_code ignored;
    std::filesystem::remove(folder_ + "/frames.ndjson", ignored);
  } else if (vtk_ && vtk_->dropLast()) {
    reported = "the last files for ParaView are left out: the other files did not fit beside them";
  } else if (ofRows && table_->dropLast()) {
    reported = "the last rows of probes.csv are left out: the other files did not fit beside them";
  } else {
    return false;
  }
  if (dropped_.empty() || dropped_.back() != reported) dropped_.push_back(reported);
  return true;
}

/// Reserves its space while rows can still be dropped for it; writing shows whether it fits.
void ResultFolder::reserveSummary(Summary& summary) {
  for (;;) {
    try {
      return summary_->reserve(summary.json().size() + summaryRoom);
    } catch (const FileError& error) {
      if (!error.noRoom() || !makeRoom(true)) return;
    }
  }
}

std::vector<std::string> ResultFolder::finish(const Simulation& simulation, Summary& summary,
                                              const std::function<void()>& besides) {
  std::vector<std::string> lost;
  bool ofRows = true;
  const auto keep = [&](const std::function<void()>& write, const std::function<void()>& otherwise) {
    try {
      for (;;) {
        try {
          return write();
        } catch (const FileError& error) {
          if (error.noRoom() && makeRoom(ofRows)) continue;
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
  keep(
      [&] {
        final_->rewrite(last.text + "\n");
        final_->commit();
      },
      nothing);
  reserveSummary(summary);
  ofRows = false;  // now the rows' own turn
  keep([&] { table_->commit(); }, [&] { table_->commitWritten(); });
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
  whole_ = lost.empty();
  const auto lose = [&] {
    whole_ = whole_ && dropped_.empty();
    for (std::string& reason : dropped_) lost.push_back(std::move(reason));
    dropped_.clear();
  };
  lose();
  try {
    besides();
  } catch (const FileError& error) {
    lost.push_back(error.what());
  }
  std::size_t reported = 0;
  keep(
      [&] {
        lose();  // dropped to make room for the summary itself
        for (; reported < lost.size(); ++reported) summary.couldNotWrite(lost[reported]);
        summary_->rewrite(summary.json());
        summary_->commit();
      },
      [&] { whole_ = false; });
  return lost;
}

}  // namespace tendril::cli
