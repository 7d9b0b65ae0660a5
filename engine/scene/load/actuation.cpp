// Actuation: natural curvature, twist and stretch of rods as timed fields or tables, natural hinge angles of
// shells, stress-free strains of soft links.
#include <algorithm>

#include "scene/load/bodies/field_samples.h"
#include "scene/load/topics.h"
#include "scene/select/links.h"
#include "scene/select/selector.h"
#include "scene/select/shells.h"

namespace tendril::scene {
namespace {

constexpr const char* linksActuated =
    "links are actuated by their driven joints, by the tensions of \"cables\", and where they are soft by {\"link\": ..., "
    "\"natural\": ...}";
constexpr const char* modeNames[] = {"twist", "bendY", "bendZ", "stretch", "shearY", "shearZ"};

void readFields(LoadContext& context, const text::Value& item, Actuation& actuation) {
  if (const text::Value* curvature = item.find("curvature")) {
    if (curvature->isArray() && curvature->items.size() == 2)
      actuation.curvature = {context.number(curvature->items[0], "actuation.curvature", Use::live),
                             context.number(curvature->items[1], "actuation.curvature", Use::live)};
    else
      context.problem(*curvature, "expected two numbers, the curvature toward d1 and toward d2 [1/m]");
  }
  if (const text::Value* twist = item.find("twist"))
    actuation.twist = context.number(*twist, "actuation.twist", Use::live);
  if (const text::Value* stretch = item.find("stretch"))
    actuation.stretch = context.number(*stretch, "actuation.stretch", Use::live);
}

/// A stretch needs whole edges; bending and twist need nodes that can carry a spring.
void readSelection(LoadContext& context, const text::Value& item, Actuation& actuation) {
  const text::Value* selector = item.find("rod");
  if (!selector) {
    context.problem(item, "expected \"rod\", \"shell\" or \"link\", what is actuated, such as \"arm\"");
    return;
  }
  if (refuseLinkages(context, *selector, "\"rod\" actuates rods", linksActuated)) return;
  actuation.nodes = item.find("stretch") ? selectNodesOfEdges(context, *selector) : selectNodes(context, *selector);
  if (!areOnRods(context, *selector, actuation.nodes, "\"rod\" actuates rods",
                 "its hinges are actuated by {\"shell\": ..., \"angle\": ...}"))
    actuation.nodes.clear();
}

/// The natural angle of hinges: interior edges with both ends selected.
void readHinges(LoadContext& context, const text::Value& item, const text::Value& selector, Actuation& actuation) {
  if (!refuseLinkages(context, selector, "\"shell\" actuates the hinges of shells", linksActuated))
    actuation.nodes = selectNodes(context, selector);
  const bool valid = areOnHinges(context, selector, actuation.nodes, "\"shell\" actuates the hinges of shells",
                                 "rods are actuated by {\"rod\": ..., \"curvature\": ...}");
  const text::Value* angle = item.find("angle");
  const bool hasTable = item.find("table") || item.find("csv");
  if (!angle && !hasTable) return;  // reported by the table of keys
  if (angle && hasTable) {
    context.problem(item, "a table and a formula exclude each other in one actuation; expected two entries");
    return;
  }
  if (hasTable) {
    actuation.table = loadTable(context, item, actuation.nodes);
    return;
  }
  actuation.angle = context.number(*angle, "actuation.angle", Use::live);
  if (valid) checkFieldOnShells(context, *angle, *actuation.angle, actuation.nodes);
}

/// Whether a mode of some division feels this strain.
bool feels(const Link& link, std::size_t mode) {
  return std::any_of(link.soft.begin(), link.soft.end(),
                     [mode](const SoftDivision& division) { return division.order[mode] >= 0; });
}

void readNatural(LoadContext& context, const text::Value& item, const text::Value& selector, Actuation& actuation) {
  actuation.links = selectSoftLinks(context, selector, "\"natural\" are strains of soft links",
                                    "a joint is driven by its \"angle\" or \"torque\"");
  const text::Value* natural = item.find("natural");
  if (!natural || !natural->isObject()) return;
  if (natural->members.empty()) context.problem(*natural, "no strain is given; expected for example \"bendY\"");
  for (std::size_t mode = 0; mode < 6; ++mode) {
    const text::Value* value = natural->find(modeNames[mode]);
    if (!value) continue;
    const std::string path = std::string("actuation.natural.") + modeNames[mode];
    actuation.natural[mode] = context.number(*value, path, Use::live);
    for (const LinkRef& ref : actuation.links) {
      const Linkage& linkage = context.scene.linkages[std::size_t(ref.linkage)];
      const Link& link = linkage.links[std::size_t(ref.link)];
      if (!feels(link, mode)) {
        context.problem(*value, "\"" + linkage.name + "/" + link.name + "\" has no mode of \"" + modeNames[mode] +
                                    "\", so it is rigid in it; expected one in its \"strains\"");
        break;
      }
      const formula::Number& number = *actuation.natural[mode];
      if (!number.isField() || number.isTimed()) continue;
      context.require(*value, {number},
                      [number, samples = LinkSamples(context, link.length()), path](const Scene& now) mutable {
                        samples.see(now);
                        return samples.wrong(number, path);
                      });
    }
  }
}

}  // namespace

void loadActuation(LoadContext& context) {
  for (const text::Value& item : itemsOf(context, "actuation")) {
    Actuation actuation;
    actuation.pointer = item.pointer;
    if (const text::Value* shell = item.find("shell")) {
      readHinges(context, item, *shell, actuation);
      actuation.interval = context.interval(item);
      context.scene.actuation.push_back(std::move(actuation));
      continue;
    }
    if (const text::Value* link = item.find("link")) {
      readNatural(context, item, *link, actuation);
      actuation.interval = context.interval(item);
      context.scene.actuation.push_back(std::move(actuation));
      continue;
    }
    readSelection(context, item, actuation);
    readFields(context, item, actuation);
    const bool hasTable = item.find("table") || item.find("csv");
    const bool hasField = actuation.curvature || actuation.twist || actuation.stretch;
    if (hasTable && hasField)
      context.problem(item, "a table and formulas exclude each other in one actuation; expected two entries");
    if (!hasTable && !hasField && !item.find("curvature"))
      context.problem(item, "expected one of curvature, twist, stretch, table, csv");
    if (hasTable) actuation.table = loadTable(context, item, actuation.nodes);
    actuation.interval = context.interval(item);
    for (Actuation& part : spreadOverRods(context.scene, std::move(actuation)))
      context.scene.actuation.push_back(std::move(part));
  }
}

}  // namespace tendril::scene
