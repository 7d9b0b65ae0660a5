// Cables of linkages: the links they run through, their path in the cross-section, and their tension; a cable that
// leaves its body is refused.
#include <algorithm>
#include <cmath>

#include "scene/load/links/linkages.h"
#include "scene/section_geometry.h"

namespace tendril::scene {
namespace {

const std::string path = "linkages.cables.path.";

bool hangsOn(const Linkage& linkage, int link, int other) {
  while (link >= 0 && link != other) link = linkage.links[std::size_t(link)].parent;
  return link == other;
}

/// The links that it runs through: known, each once, and none before one that it is attached to.
void readThrough(LoadContext& context, const text::Value& value, const Linkage& linkage, Cable& cable) {
  const std::vector<text::Value> items = value.isArray() ? value.items : std::vector<text::Value>{value};
  for (const text::Value& item : items) {
    const int link = findLink(linkage, item.string);
    if (link < 0) {
      unknownLink(context, item, item.string, linkage, true);
      continue;
    }
    for (const int before : cable.links) {
      if (before == link)
        context.problem(item, "the cable runs through \"" + item.string + "\" twice; expected each link once");
      else if (hangsOn(linkage, before, link))
        context.problem(item, "\"" + item.string + "\" comes before \"" + linkage.links[std::size_t(before)].name +
                                  "\", which is attached to it; expected the links in the order of the chain");
    }
    cable.links.push_back(link);
  }
}

/// A division of a soft link, counted from 1; -1 where the key is missing or wrong.
int readDivision(LoadContext& context, const text::Value& value, const char* key, const Linkage& linkage, int link) {
  const text::Value* given = value.find(key);
  if (!given) return -1;
  const Link& on = linkage.links[std::size_t(link)];
  const int division = int(context.constantOf(*given).value_or(1)), count = int(on.soft.size());
  if (division >= 1 && division <= count) return division - 1;
  context.problem(*given,
                  on.rigid
                      ? "\"" + on.name + "\" is rigid and has no divisions; \"" + key + "\" counts those of a soft link"
                      : "\"" + on.name + "\" has " + std::to_string(count) + (count == 1 ? " division" : " divisions") +
                            "; found " + std::to_string(division));
  return -1;
}

void readDivisions(LoadContext& context, const text::Value& value, const Linkage& linkage, Cable& cable) {
  if (cable.links.empty()) return;
  cable.firstDivision = std::max(0, readDivision(context, value, "from", linkage, cable.links.front()));
  cable.lastDivision = readDivision(context, value, "to", linkage, cable.links.back());
  if (cable.links.size() == 1 && cable.lastDivision >= 0 && cable.lastDivision < cable.firstDivision)
    context.problem(*value.find("to"), "division " + std::to_string(cable.lastDivision + 1) +
                                           " comes before division " + std::to_string(cable.firstDivision + 1) +
                                           ", where the cable begins");
}

std::array<formula::Number, 2> readPair(LoadContext& context, const text::Value* value, const std::string& at,
                                        const text::Value& holder) {
  if (!value || !value->isArray() || value->items.size() != 2) {
    context.problem(value ? *value : holder, "expected two numbers [y, z] [m]");
    return {};
  }
  return {context.number(value->items[0], at, Use::restart), context.number(value->items[1], at, Use::restart)};
}

void readPath(LoadContext& context, const text::Value& value, Cable& cable) {
  if (const text::Value* constant = value.find("constant")) {
    cable.path = Cable::Path::constant;
    cable.from = cable.to = readPair(context, constant, path + "constant", value);
  } else if (const text::Value* oblique = value.find("oblique")) {
    cable.path = Cable::Path::oblique;
    cable.from = readPair(context, oblique->find("from"), path + "oblique.from", *oblique);
    cable.to = readPair(context, oblique->find("to"), path + "oblique.to", *oblique);
  } else if (const text::Value* helical = value.find("helical")) {
    cable.path = Cable::Path::helical;
    const auto read = [&](const char* key) {
      const text::Value* member = helical->find(key);
      const std::string at = path + "helical." + key;
      return member ? context.number(*member, at, Use::restart) : formula::Number(defaultNumber(at));
    };
    cable.radius = read("radius");
    cable.pitch = read("pitch");
    cable.phase = read("phase");
    const text::Value* pitch = helical->find("pitch");
    if (pitch && context.constantOf(*pitch).value_or(1) == 0)
      context.problem(*pitch, "the pitch is 0; expected the length of the link per turn, or a \"constant\" path");
  } else if (const text::Value* custom = value.find("custom")) {
    cable.path = Cable::Path::custom;
    for (const auto& [key, member] : {std::pair<const char*, formula::Number*>{"y", &cable.y}, {"z", &cable.z}})
      if (const text::Value* offset = custom->find(key))
        *member = context.number(*offset, path + "custom." + key, Use::restart);
  } else {
    context.problem(value, "expected one of constant, oblique, helical, custom");
  }
}

/// y and z of the cable at arc length s of its path. Throws Failure.
std::array<double, 2> offsetAt(const Cable& cable, const formula::Input& at) {
  switch (cable.path) {
    case Cable::Path::constant:
      return {cable.from[0](at), cable.from[1](at)};
    case Cable::Path::oblique:
      return {(1 - at.u) * cable.from[0](at) + at.u * cable.to[0](at),
              (1 - at.u) * cable.from[1](at) + at.u * cable.to[1](at)};
    case Cable::Path::helical: {
      const double angle = cable.phase(at) + 2 * pi * at.s / cable.pitch(at);
      return {cable.radius(at) * std::cos(angle), cable.radius(at) * std::sin(angle)};
    }
    case Cable::Path::custom:
      break;
  }
  return {cable.y(at), cable.z(at)};
}

/// Follows a cable and checks that it stays inside the bodies.
class CableWalk {
 public:
  CableWalk(LoadContext& context, const text::Value& value, const Linkage& linkage, const Cable& cable)
      : context_(context), value_(value), linkage_(linkage), cable_(cable) {
    for (std::size_t k = 0; k < cable.links.size(); ++k)
      total_ += cable.lengthIn(k, linkage.links[std::size_t(cable.links[k])]);
  }

  void check() {
    const bool needsLength = cable_.path != Cable::Path::constant;
    if (needsLength && !(total_ > 0)) {
      context_.problem(value_, "the links that the cable runs through have no length; expected a \"constant\" path");
      return;
    }
    double begin = 0;
    for (std::size_t k = 0; k < cable_.links.size(); ++k) {
      const Link& link = linkage_.links[std::size_t(cable_.links[k])];
      const auto [first, end] = cable_.divisionsOf(k, link);
      double within = 0, before = 0;
      for (std::size_t d = 0; d < end; ++d) {
        const SoftDivision& division = link.soft[d];
        if (d < first) {
          before += division.length;
          continue;
        }
        if (!part(link, division.section, begin - before, within + before, division.length)) return;
        within += division.length;
      }
      if (link.rigid && link.rigid->section && !part(link, *link.rigid->section, begin, 0, link.rigid->length)) return;
      begin += cable_.lengthIn(k, link);
    }
  }

 private:
  static constexpr int samples = 50;

  /// A part within one section, which begins at `within` of a link that begins at `begin` of the cable's path.
  bool part(const Link& link, const Section& section, double begin, double within, double length) {
    for (int k = 0; k < samples && length > 0; ++k) {
      formula::Input on = context_.input(), along = on;
      on.u = (k + 0.5) / samples;
      on.s = on.u * length;
      along.s = begin + within + on.s;
      along.u = along.s / total_;
      try {
        if (!inside(link, section, on, along, within + on.s)) return false;
      } catch (const formula::Failure& failure) {
        context_.problem(value_, failure.what());
        return false;
      }
    }
    return true;
  }

  bool inside(const Link& link, const Section& section, const formula::Input& on, const formula::Input& along,
              double s) {
    const auto [y, z] = offsetAt(cable_, along);
    if (cable_.outside || (section.kind == Section::Kind::stiffness && !section.hasRadius)) return true;
    const SectionGeometry shape = sectionGeometry(section, on);
    const double a = y / shape.halfAxis1, b = z / shape.halfAxis2;
    const double reach = shape.round ? std::hypot(a, b) : std::max(std::abs(a), std::abs(b));
    constexpr double rounded = 1e-3;  // paths along the surface have rounded coefficients
    if (!(reach > 1 + rounded)) return true;
    context_.problem(value_, "the cable leaves \"" + link.name + "\" at s = " + inWords(s) +
                                 " m: it runs at y = " + inWords(y) + " m, z = " + inWords(z) +
                                 " m, and the section's half-axes are " + inWords(shape.halfAxis1) + " m and " +
                                 inWords(shape.halfAxis2) + " m; expected a smaller offset, or \"outside\": true");
    return false;
  }

  LoadContext& context_;
  const text::Value& value_;
  const Linkage& linkage_;
  const Cable& cable_;
  double total_ = 0;
};

void loadCable(LoadContext& context, const text::Member& member, Linkage& linkage) {
  const text::Value& value = member.value;
  Cable cable;
  cable.name = member.key;
  cable.pointer = value.pointer;
  cable.outside = context.flagAt(value, "outside", false);
  const text::Value *through = value.find("through"), *course = value.find("path"), *tension = value.find("tension");
  if (through)
    readThrough(context, *through, linkage, cable);
  else
    context.problem(value, "\"through\" is missing; expected the links that the cable runs in, such as [\"limb\"]");
  const std::size_t before = context.problemCount();
  readDivisions(context, value, linkage, cable);
  if (course)
    readPath(context, *course, cable);
  else
    context.problem(value, "\"path\" is missing; expected for example {\"constant\": [0, 5e-3]}");
  if (tension) cable.tension = context.number(*tension, "linkages.cables.tension", Use::live);
  if (course && !cable.links.empty() && context.problemCount() == before)
    CableWalk(context, *course, linkage, cable).check();
  cable.look = loadLook(context, value.find("look"));
  linkage.cables.push_back(std::move(cable));
}

}  // namespace

void loadCables(LoadContext& context, const text::Value& cables, Linkage& linkage) {
  for (const text::Member& member : cables.members) loadCable(context, member, linkage);
}

}  // namespace tendril::scene
