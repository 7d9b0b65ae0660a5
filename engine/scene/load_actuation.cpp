// Actuation of rods: natural curvature, twist and stretch as timed fields or as a table.
#include "scene/load_topics.h"
#include "scene/selector.h"

namespace tendril {
namespace {

void readFields(LoadContext& context, const Value& item, Actuation& actuation) {
  if (const Value* curvature = item.find("curvature")) {
    if (curvature->isArray() && curvature->items.size() == 2)
      actuation.curvature = {context.number(curvature->items[0], "actuation.curvature", Use::live),
                             context.number(curvature->items[1], "actuation.curvature", Use::live)};
    else
      context.problem(*curvature, "expected two numbers, the curvature towards d1 and towards d2 [1/m]");
  }
  if (const Value* twist = item.find("twist")) actuation.twist = context.number(*twist, "actuation.twist", Use::live);
  if (const Value* stretch = item.find("stretch"))
    actuation.stretch = context.number(*stretch, "actuation.stretch", Use::live);
}

/// A stretch needs whole edges; bends and twists need nodes that can carry a spring.
void readSelection(LoadContext& context, const Value& item, Actuation& actuation) {
  const Value* selector = item.find("rod");
  if (!selector) {
    context.problem(item, "expected \"rod\", the nodes whose springs are actuated, such as \"arm\"");
    return;
  }
  actuation.nodes = item.find("stretch") ? selectNodesOfEdges(context, *selector) : selectNodes(context, *selector);
}

}  // namespace

void loadActuation(LoadContext& context) {
  for (const Value& item : itemsOf(context, "actuation")) {
    Actuation actuation;
    actuation.pointer = item.pointer;
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

}  // namespace tendril
