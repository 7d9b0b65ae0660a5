// Bodies of links: rigid ones by section and density or by mass, and soft ones with their divisions, each with section,
// material, modes, basis, quadrature and stress-free strains.
#include <algorithm>
#include <cmath>

#include "scene/load/bodies/field_samples.h"
#include "scene/load/links/linkages.h"
#include "scene/section_geometry.h"

namespace tendril::scene {
namespace {

constexpr const char* softPath = "linkages.links.body.soft";
constexpr const char* modeNames[] = {"twist", "bendY", "bendZ", "stretch", "shearY", "shearZ"};

/// Refuses sizes for which areas, masses or moments vanish or overflow.
void checkScale(LoadContext& context, const text::Value& at, const Section& section, double length) {
  LinkSamples samples(context, length);
  for (int k = 0; k < samples.count() && length > 0; ++k) {
    const SectionGeometry g = sectionGeometry(section, samples.at(k));
    const double area = g.explicitStiffness ? g.massPerLength : g.area, moment = g.explicitStiffness ? g.EI1 : g.I1;
    if (std::isnormal(area * length * length * length) && std::isnormal(moment * length) &&
        std::isnormal(moment / length))
      continue;
    context.problem(at, "a body of this size cannot be computed: half-axes of " + inWords(g.halfAxis1) + " m and " +
                            inWords(g.halfAxis2) + " m at " + samples.name(k) + ", and a length of " + inWords(length) +
                            " m; expected sizes in meters");
    return;
  }
}

void checkInertia(LoadContext& context, const text::Value& value, const RigidBody& rigid) {
  const auto wrong = [inertia = rigid.inertia](const Scene& scene) -> std::string {
    double moment[3];
    try {
      for (std::size_t k = 0; k < 3; ++k) moment[k] = inertia[k](parametersOf(scene));
    } catch (const formula::Failure&) {
      return {};  // already reported
    }
    for (int k = 0; k < 3; ++k)
      if (moment[k] > (moment[(k + 1) % 3] + moment[(k + 2) % 3]) * (1 + 1e-9))
        return "no body has these moments: the one about " + std::string(1, char('x' + k)) +
               " is larger than the sum of the other two";
    return {};
  };
  context.require(value, {rigid.inertia.begin(), rigid.inertia.end()}, wrong);
}

RigidBody loadRigid(LoadContext& context, const text::Value& value) {
  const std::string path = "linkages.links.body.rigid";
  RigidBody rigid;
  rigid.length = context.constantAt(value, path, "length");
  rigid.center = Vec3(0.5 * rigid.length, 0, 0);
  const text::Value *section = value.find("section"), *density = value.find("density"), *mass = value.find("mass");
  if (section) {
    LinkSamples samples(context, rigid.length);
    const std::size_t before = context.problemCount();
    loadSection(context, *section, path + ".section", samples, rigid.section.emplace());
    if (context.problemCount() == before) checkScale(context, *section, *rigid.section, rigid.length);
    if (section->find("stiffness"))
      context.problem(*section, "a rigid body has no stiffness; expected one of circle, rectangle, ellipse, tube");
    if (!density && !mass)
      context.problem(value,
                      "a section needs \"density\" [kg/m^3] or \"mass\" [kg] beside it; without both the body is "
                      "massless and has a length alone");
  }
  if (density) {
    rigid.density = context.number(*density, path + ".density", Use::live);
    if (!(rigid.length > 0))
      context.problem(*density,
                      "a body of a section and a density needs a length greater than 0; expected \"length\", or "
                      "\"mass\" instead");
  }
  if (mass) rigid.mass = context.number(*mass, path + ".mass", Use::live);
  if (const text::Value* inertia = value.find("inertia")) {
    rigid.inertia = context.vector(*inertia, path + ".inertia", Use::live);
    checkInertia(context, *inertia, rigid);
  }
  if (const text::Value* center = value.find("center")) rigid.center = context.point(*center).value_or(rigid.center);
  return rigid;
}

/// Reads one division; what it omits comes from the body around it.
class DivisionReader {
 public:
  DivisionReader(LoadContext& context, const text::Value& own, const text::Value& body)
      : context_(context), own_(own), body_(body) {}

  SoftDivision read(double length) {
    division_.pointer = own_.pointer;
    division_.length = length;
    readBasis();
    readModes();
    readSteps();
    readSection();
    readNatural();
    return division_;
  }

 private:
  const text::Value* member(const char* key) const {
    const text::Value* value = own_.find(key);
    return value ? value : body_.find(key);
  }
  std::string path(const char* key) const { return std::string(softPath) + "." + key; }

  int integer(const char* key, int fallback) {
    const text::Value* value = member(key);
    const auto number = value ? context_.constantOf(*value, path(key)) : std::nullopt;
    return number ? int(*number) : fallback;
  }

  void readSection() {
    const text::Value* section = member("section");
    const bool explicitly = section && section->find("stiffness");
    if (member("material") || !explicitly)
      division_.material = findMaterial(context_, own_.find("material") ? own_ : body_, "soft body");
    if (!section) {
      context_.problem(own_, "\"section\" is missing; expected for example {\"circle\": {\"radius\": 1e-2}}");
      return;
    }
    std::vector<int> orders;
    for (const int order : division_.order)
      if (order >= 0) orders.push_back(order);
    geometry::Quadrature inner = geometry::basisQuadrature(division_.basis, orders, std::max(division_.points, 1));
    inner.points.pop_back();  // the tip
    LinkSamples samples(context_, division_.length, inner.points);
    const std::size_t before = context_.problemCount();
    loadSection(context_, *section, path("section"), samples, division_.section);
    if (context_.problemCount() == before) checkScale(context_, *section, division_.section, division_.length);
  }

  void readBasis() {
    static const char* names[] = {
        "monomial", "legendre", "chebyshev", "fourier", "hermite", "gaussian", "inverse-multiquadric", "fem"};
    const text::Value* value = member("basis");
    if (!value || !value->isString()) return;
    for (int k = 0; k < 8; ++k)
      if (value->string == names[k]) division_.basis = geometry::StrainBasis(k);
  }

  void readModes() {
    const text::Value* strains = member("strains");
    if (!strains) return;
    for (std::size_t m = 0; m < 6; ++m) {
      const text::Value* value = strains->find(modeNames[m]);
      if (!value) continue;
      const auto order = context_.constantOf(*value, path("strains.") + modeNames[m]);
      if (!order) continue;
      const std::string wrong = geometry::basisProblem(division_.basis, int(*order));
      if (!wrong.empty())
        context_.problem(*value, wrong + "; \"" + modeNames[m] + "\" has order " + inWords(*order));
      else
        division_.order[m] = int(*order);
    }
  }

  /// Quadrature, and the steps between its points.
  void readSteps() {
    int functions = 0, highest = 0;
    std::size_t largest = 0;
    for (std::size_t m = 0; m < 6; ++m) {
      const int order = division_.order[m];
      if (order < 0 || geometry::basisSize(division_.basis, order) <= functions) continue;
      functions = geometry::basisSize(division_.basis, order);
      highest = order;
      largest = m;
    }
    const bool fourier = division_.basis == geometry::StrainBasis::fourier;
    division_.points = integer("points", std::max({5, functions, fourier ? 4 * highest : 0}));
    if (division_.points < functions)
      context_.problem(*member("points"), std::to_string(division_.points) + " points do not tell the " +
                                              std::to_string(functions) + " functions of \"" + modeNames[largest] +
                                              "\" apart (order " + std::to_string(highest) + "); expected at least " +
                                              std::to_string(functions) + ", or no \"points\"");
    division_.magnus = integer("magnus", 4);
    if (division_.magnus % 2 != 0)
      context_.problem(*member("magnus"), "expected 2, 4 or 6, found " + std::to_string(division_.magnus));
    division_.substeps = integer("substeps", 1);
  }

  void readNatural() {
    const text::Value* natural = member("natural");
    if (!natural) return;
    LinkSamples samples(context_, division_.length);
    for (std::size_t m = 0; m < 6; ++m) {
      const text::Value* value = natural->find(modeNames[m]);
      if (!value) continue;
      const std::string at = path("natural.") + modeNames[m];
      division_.natural[m] = context_.number(*value, at, Use::live);
      if (!division_.natural[m].isField()) continue;
      context_.require(*value, {division_.natural[m]},
                       [field = division_.natural[m], samples, at](const Scene& scene) mutable {
                         samples.see(scene);
                         return samples.wrong(field, at);
                       });
    }
  }

  LoadContext& context_;
  const text::Value &own_, &body_;
  SoftDivision division_;
};

/// The length of a body, or of one division; empty if it is missing or wrong (which is reported).
std::optional<double> lengthOf(LoadContext& context, const text::Value& value) {
  const text::Value* length = value.find("length");
  if (!length) return std::nullopt;
  return context.constantOf(*length, std::string(softPath) + ".length").value_or(1);
}

/// Lengths of the divisions: those without their own share the remainder of the whole equally.
std::vector<double> divisionLengths(LoadContext& context, const text::Value& body,
                                    const std::vector<text::Value>& divisions) {
  const auto whole = lengthOf(context, body);
  std::vector<double> lengths;
  double sum = 0;
  int open = 0;
  for (const text::Value& division : divisions) {
    const auto length = lengthOf(context, division);
    lengths.push_back(length.value_or(0));
    sum += lengths.back();
    open += !length;
  }
  if (open > 0 && !whole) {
    context.problem(body, "\"length\" is missing; expected the length of every division, or of the whole body");
  } else if (open > 0 && !(*whole > sum * (1 + 1e-9))) {
    context.problem(*body.find("length"), "the divisions with a length fill " + inWords(sum) + " m of " +
                                              inWords(*whole) + " m; nothing is left for the others");
  } else if (open == 0 && whole && std::abs(*whole - sum) > 1e-9 * sum) {
    context.problem(*body.find("length"), "the divisions add up to " + inWords(sum) + " m, not to " + inWords(*whole) +
                                              " m; expected that, or no \"length\" here");
  }
  for (double& length : lengths)
    if (length == 0) length = whole && *whole > sum ? (*whole - sum) / open : 1;
  return lengths;
}

void loadSoft(LoadContext& context, const text::Value& value, Link& link) {
  const text::Value* divisions = value.find("divisions");
  if (divisions && divisions->isArray() && !divisions->items.empty()) {
    const std::vector<double> lengths = divisionLengths(context, value, divisions->items);
    for (std::size_t d = 0; d < lengths.size(); ++d)
      link.soft.push_back(DivisionReader(context, divisions->items[d], value).read(lengths[d]));
  } else {
    if (divisions) context.problem(*divisions, "expected at least one division");
    const auto length = lengthOf(context, value);
    if (!length) context.problem(value, "\"length\" is missing; expected the length of the body [m]");
    link.soft.push_back(DivisionReader(context, value, value).read(length.value_or(1)));
  }
  const bool moves = std::any_of(link.soft.begin(), link.soft.end(), [](const SoftDivision& division) {
    return std::any_of(division.order.begin(), division.order.end(), [](int order) { return order >= 0; });
  });
  const text::Value* strains = value.find("strains");
  if (!moves && (!strains || strains->members.empty()))
    context.problem(
        strains ? *strains : value,
        "this soft body takes no strains, so it cannot deform; expected for example \"strains\": {\"bendY\": 2}, "
        "or a \"rigid\" body");
}

}  // namespace

void loadLinkBody(LoadContext& context, const text::Value& value, Link& link) {
  if (const text::Value* soft = value.find("soft"))
    loadSoft(context, *soft, link);
  else if (const text::Value* rigid = value.find("rigid"))
    link.rigid = loadRigid(context, *rigid);
  else
    context.problem(value, "expected one of rigid, soft");
}

}  // namespace tendril::scene
