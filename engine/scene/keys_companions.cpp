// Keys that go together, and those that do not (keys_companions.h).
#include "scene/keys_companions.h"

namespace tendril {

namespace {

struct Misfit {
  const char *object, *key, *other, *instead;
};

constexpr const char* seriesInstead =
    "; the hinges of a shell take \"angle\", a formula that can read a table of \"series\": \"=name(t)\"";
constexpr const char* angleInstead = "; the hinges of a shell take \"angle\"";

const std::vector<Misfit>& misfits() {
  static const std::vector<Misfit> all = {
      {"actuation", "table", "shell", seriesInstead},
      {"actuation", "csv", "shell", seriesInstead},
      {"actuation", "curvature", "shell", angleInstead},
      {"actuation", "twist", "shell", angleInstead},
      {"actuation", "stretch", "shell", angleInstead},
      {"actuation", "angle", "rod", "; rods take \"curvature\", \"twist\" or \"stretch\""},
  };
  return all;
}

}  // namespace

const std::vector<Demand>& demands() {
  static const std::vector<Demand> all = {
      {"constraint", "move", {"displacement", "velocity"}},
      {"actuation", "rod", {"curvature", "twist", "stretch", "table", "csv"}},
      {"initial",
       "of",
       {"velocity", "twist", "spin", "bendY", "bendZ", "shearY", "shearZ", "stretch", "twistRate", "bendYRate",
        "bendZRate", "shearYRate", "shearZRate", "stretchRate"}},
      {"table", "time", {"curvature1", "curvature2", "twist", "stretch"}},
  };
  return all;
}

std::string insteadOf(std::string_view object, std::string_view key, const Value& value) {
  for (const Misfit& misfit : misfits())
    if (object == misfit.object && key == misfit.key && value.member(misfit.other)) return misfit.instead;
  return {};
}

}  // namespace tendril
