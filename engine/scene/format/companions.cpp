// Keys that go together, and those that do not (companions.h).
#include "scene/format/companions.h"

namespace tendril::scene {

namespace {

struct Misfit {
  const char *object, *key, *other, *instead;  ///< `other` empty: beside anything
};

constexpr const char* naturalInstead = "; a soft link takes \"natural\": {\"bendY\": ...}";
constexpr const char* angleInstead = "; the hinges of a shell take \"angle\"";

const std::vector<Misfit>& misfits() {
  static const std::vector<Misfit> all = {
      {"actuation", "curvature", "shell", angleInstead},
      {"actuation", "twist", "shell", angleInstead},
      {"actuation", "stretch", "shell", angleInstead},
      {"probe", "unit", "", "; what else is measured has its own, in SI"},
      {"actuation", "table", "link", naturalInstead},
      {"actuation", "csv", "link", naturalInstead},
      {"actuation", "curvature", "link", naturalInstead},
      {"actuation", "twist", "link", naturalInstead},
      {"actuation", "stretch", "link", naturalInstead},
      {"actuation", "natural", "rod", "; rods take \"curvature\", \"twist\" or \"stretch\""},
      {"actuation", "natural", "shell", angleInstead},
      {"actuation", "angle", "link", naturalInstead},
      {"actuation", "angle", "rod", "; rods take \"curvature\", \"twist\" or \"stretch\""},
  };
  return all;
}

struct Advice {
  const char *objects, *keys, *instead;  ///< names between blanks
};

constexpr Advice advices[] = {
    {" spherical free planar ", " rest ",
     ": its spring is relaxed where the coordinates are 0; rotate or shift the joint by the link's \"offset\""},
    {" revolute helical universal spherical ", " displacement force ", ": it turns; expected \"angle\" or \"torque\""},
    {" prismatic ", " angle torque ", ": it slides; expected \"displacement\" or \"force\""},
    {" spherical free fixed ", " axis ", ": it has none"},
    {" division ", " divisions ", ": divisions are not divided again"},
};

bool holds(std::string_view words, std::string_view word) {
  return words.find(" " + std::string(word) + " ") != std::string_view::npos;
}

}  // namespace

const std::vector<Demand>& demands() {
  static const std::vector<Demand> all = {
      {"constraint", "move", {"displacement", "velocity"}},
      {"actuation", "rod", {"curvature", "twist", "stretch", "table", "csv"}},
      {"initial",
       "of",
       {"velocity", "twist", "spin", "hingeRate", "bendY", "bendZ", "stretch", "shearY", "shearZ", "twistRate",
        "bendYRate", "bendZRate", "stretchRate", "shearYRate", "shearZRate", "angle", "angleRate", "displacement",
        "displacementRate"}},
      {"table", "time", {"curvature1", "curvature2", "twist", "stretch", "angle"}},
      {"actuation", "shell", {"angle", "table", "csv"}},
  };
  return all;
}

std::string insteadOf(std::string_view object, std::string_view key, const text::Value& value) {
  for (const Misfit& misfit : misfits())
    if (object == misfit.object && key == misfit.key && (!*misfit.other || value.member(misfit.other)))
      return misfit.instead;
  return {};
}

std::string adviceOn(std::string_view object, std::string_view key) {
  for (const Advice& advice : advices)
    if (holds(advice.objects, object) && holds(advice.keys, key)) return advice.instead;
  return {};
}

}  // namespace tendril::scene
