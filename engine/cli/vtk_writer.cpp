// The XML PolyData format with ASCII arrays, which every VTK reader supports.
#include "cli/vtk_writer.h"

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "cli/numbers.h"

namespace tendril::cli {

namespace {

void appendArray(std::string& text, const char* name, const std::vector<double>& values, int components) {
  text += "        <DataArray type=\"Float64\" Name=\"";
  text += name;
  text += "\" NumberOfComponents=\"" + std::to_string(components) + "\" format=\"ascii\">\n";
  for (std::size_t i = 0; i < values.size(); ++i) {
    appendDigits17(text, values[i]);
    text += (i + 1) % static_cast<std::size_t>(components) == 0 ? '\n' : ' ';
  }
  text += "        </DataArray>\n";
}

void appendCells(std::string& text, const char* kind, const std::vector<std::vector<long>>& cells) {
  text +=
      std::string("      <") + kind + ">\n        <DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n";
  for (const auto& cell : cells) {
    for (std::size_t i = 0; i < cell.size(); ++i) text += std::to_string(cell[i]) + (i + 1 == cell.size() ? "\n" : " ");
  }
  text += "        </DataArray>\n        <DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n";
  std::size_t end = 0;
  for (const auto& cell : cells) text += std::to_string(end += cell.size()) + "\n";
  text += std::string("        </DataArray>\n      </") + kind + ">\n";
}

// Triangles of a shell; otherwise lines: one along a rod, one along each link.
std::vector<std::vector<long>> cellsOf(const BodyState& body) {
  std::vector<std::vector<long>> cells;
  const auto addLine = [&](long first, long count) {
    cells.emplace_back();
    for (long i = 0; i < count; ++i) cells.back().push_back(first + i);
  };
  for (const auto& t : body.triangles) cells.push_back({t[0], t[1], t[2]});
  for (const BodyState::LinkState& link : body.links) {
    if (link.nodeCount > 1) addLine(link.firstNode, link.nodeCount);
  }
  if (body.triangles.empty() && body.links.empty()) addLine(0, static_cast<long>(body.nodes.size() / 3));
  return cells;
}

}  // namespace

std::string vtpText(const BodyState& body) {
  const std::size_t count = body.nodes.size() / 3;
  const std::vector<std::vector<long>> cells = cellsOf(body);
  const bool faces = !body.triangles.empty();
  std::string text = std::string(VtkWriter::beginning) +
                     "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                     "  <PolyData>\n    <Piece NumberOfPoints=\"" +
                     std::to_string(count) + "\" NumberOfVerts=\"0\" NumberOfLines=\"" +
                     std::to_string(faces ? 0 : cells.size()) + "\" NumberOfStrips=\"0\" NumberOfPolys=\"" +
                     std::to_string(faces ? cells.size() : 0) + "\">\n" + "      <PointData" +
                     (body.curvature.empty() ? "" : " Scalars=\"curvature\"") + " Vectors=\"velocity\"" +
                     (faces ? " Normals=\"normal\"" : "") + ">\n";
  const auto pointData = [&](const char* name, const std::vector<double>& values, int components) {
    const bool has = !values.empty() && values.size() == count * static_cast<std::size_t>(components);
    if (has) appendArray(text, name, values, components);
  };
  pointData("velocity", body.velocity, 3);
  pointData("radius", body.radius, 1);
  pointData("d1", body.d1, 3);
  pointData("normal", body.normal, 3);
  pointData("curvature", body.curvature, 1);
  pointData("stretch", body.stretch, 1);
  pointData("strain", body.strain, 1);
  pointData("energy", body.energy, 1);
  text += "      </PointData>\n      <Points>\n";
  appendArray(text, "points", body.nodes, 3);
  text += "      </Points>\n";
  appendCells(text, faces ? "Polys" : "Lines", cells);
  return text + "    </Piece>\n  </PolyData>\n</VTKFile>\n";
}

VtkWriter::VtkWriter(const std::string& folder) : folder_(folder) { makeFolder(folder); }

void VtkWriter::add(double time, const Bodies& bodies) {
  char number[32];
  std::snprintf(number, sizeof number, "_%06ld.vtp", static_cast<long>(frames_.size()));
  Frame& frame = frames_.emplace_back();
  try {
    for (std::size_t part = 0; part < bodies.size(); ++part) {
      const std::string file = bodies[part].name + number;
      frame.files.push_back(folder_ + "/" + file);
      writeWhole(frame.files.back(), vtpText(bodies[part]));
      frame.entries += "    <DataSet timestep=\"";
      appendDigits17(frame.entries, time);
      frame.entries += "\" group=\"\" part=\"" + std::to_string(part) + "\" file=\"" + file + "\"/>\n";
    }
  } catch (const FileError&) {
    dropLast();  // a frame without some of the bodies is incomplete
    throw;
  }
}

bool VtkWriter::dropLast() {
  if (frames_.empty()) return false;
  std::error_code ignored;
  for (const std::string& file : frames_.back().files) std::filesystem::remove(file, ignored);
  frames_.pop_back();
  return true;
}

void VtkWriter::commit() {
  std::string entries;
  for (const Frame& frame : frames_) entries += frame.entries;
  writeWhole(folder_ + "/scene.pvd", std::string(beginning) +
                                         "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                                         "  <Collection>\n" +
                                         entries + "  </Collection>\n</VTKFile>\n");
}

}  // namespace tendril::cli
