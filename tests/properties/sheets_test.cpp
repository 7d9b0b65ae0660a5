// Laws of sheets, held against random plates: the order in which both bending models converge, and sheets that are cut.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "law.h"
#include "told.h"

namespace tendril::properties {
namespace sheets_test {

using test::digits;

/// A flat mesh in the plane of x and y.
struct Mesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;

  Json json() const {
    Json out = {{"points", Json::array()}, {"triangles", triangles}};
    for (const Vec3& x : points) out["points"].push_back(Telling::list(x));
    return out;
  }
};

/// nx x ny uneven cells over a rectangle, their diagonals either way.
Mesh unevenMesh(Draw& draw, double length, double width, int nx, int ny, double uneven) {
  Mesh mesh;
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) {
      const double u = draw.uniform(-uneven, uneven), v = draw.uniform(-uneven, uneven);
      mesh.points.push_back({length * (i + (i % nx ? u : 0)) / nx, width * (j + (j % ny ? v : 0)) / ny, 0});
    }
  }
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i, b = a + 1, c = a + nx + 1, d = c + 1;
      if (draw.chance(0.5))
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {a, d, c}});
      else
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {b, d, c}});
    }
  }
  return mesh;
}

/// Each triangle as four of its own shape; vertices that there were keep their numbers.
Mesh halved(const Mesh& coarse) {
  Mesh fine{coarse.points, {}};
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [at, isNew] = middles.try_emplace(std::minmax(a, b), static_cast<int>(fine.points.size()));
    if (isNew)
      fine.points.push_back(0.5 *
                            (coarse.points[static_cast<std::size_t>(a)] + coarse.points[static_cast<std::size_t>(b)]));
    return at->second;
  };
  for (const auto& [a, b, c] : coarse.triangles) {
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    fine.triangles.insert(fine.triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  return fine;
}

// ---- order in h
// -------------------------------------------------------------------------------------------------------

enum class Held { asABeam, atAnEnd, around, clampedAround };

bool hasFreeEnd(Held held) { return held == Held::asABeam || held == Held::atAnEnd; }

struct Plate {
  Json scene;
  double length = 0, width = 0;
};

/// Of random sides, thickness, material and load, which bends it by up to a fifth of its length, or `dips` of its
/// thickness.
Plate plate(Draw& draw, Held held, double dips, double share) {
  const bool free = hasFreeEnd(held), byWeight = draw.chance(0.5);
  const double L = draw.uniform(0.1, 0.3), W = share * L, h = L * draw.log(0.002, 0.02), E = draw.log(1e5, 1e10);
  const double rho = draw.uniform(500, 5000), poisson = draw.uniform(0.1, 0.45),
               nu = held == Held::asABeam ? 0 : poisson;
  Plate out{{}, L, W};
  Json& s = out.scene;
  s = {{"format", "tendril/1"}, {"materials", {{"m", {{"youngs", E}, {"poisson", nu}, {"density", rho}}}}}};
  s["solver"] = {{"mode", "static"}, {"tolerance", 1e-11}};
  s["shells"]["p"]["thickness"] = h;
  const std::string little = digits(1e-6 * L), toEnd = digits(L) + " - x", toSide = "min(y, " + digits(W) + " - y)";
  const std::string where = (free ? "x" : "min(min(x, " + toEnd + "), " + toSide + ")") + " < " + little;
  s["constraints"] = {{{held == Held::around ? "fix" : "clamp", {{"of", "p"}, {"where", where}}}}};
  const double D = E * h * h * h / (12 * (1 - nu * nu)),
               dip = std::min(dips * h, free ? 0.2 * L : h) * draw.uniform(0.1, 1);
  // Per area.
  const double q = dip * D / (free ? std::pow(L, 4) / 8 : (held == Held::around ? 0.008 : 0.002) * std::pow(W, 4));
  if (free && !byWeight)
    s["loads"] = {{{"line", {0, 0, 0.4 * q * L}}, {"on", {{"of", "p"}, {"where", toEnd + " < " + little}}}}};
  else
    s["environment"]["gravity"] = {0, 0, -q / (rho * h)};
  return out;
}

double dipOf(Json scene, const Json& mesh, const char* bending) {
  scene["shells"]["p"]["mesh"] = mesh, scene["shells"]["p"]["bending"] = bending;
  Simulation sim(scene.dump());
  test::runToEnd(sim);
  return test::column(sim, "at.z");
}

// A corner where a clamp stops the curl across a free border lowers the order to 1.5.
TEST(Properties, FinerSheetsOfMidEdgeNormalsConvergeToSecondOrder) {
  const std::tuple<const char*, Held, double> cases[] = {{"strip", Held::asABeam, 1.8},
                                                         {"cantilever", Held::atAnEnd, 1.4},
                                                         {"plate that is supported", Held::around, 1.7},
                                                         {"plate that is clamped", Held::clampedAround, 1.7}};
  for (const auto& [name, held, least] : cases) {
    hold(
        std::string("order in h of a ") + name, 4,
        [held = held, least = least](unsigned seed, const std::set<std::string>&) -> std::string {
          Draw draw(seed ^ 0x706c6174u);
          Plate p = plate(draw, held, hasFreeEnd(held) ? 100 : 0.1, draw.uniform(0.5, 1));
          Mesh mesh = unevenMesh(draw, p.length, p.width, 2, 2, 0.25);
          // The middle of the free end, or that of the plate.
          p.scene["probes"]["at"]["position"] = hasFreeEnd(held) ? "p:5" : "p:4";
          std::vector<double> z;
          std::string said;
          for (int level = 0; level <= 4; ++level) {
            mesh = halved(mesh);
            z.push_back(dipOf(p.scene, mesh.json(), "midedge"));
            if (level < 2) continue;
            const double d1 = z[z.size() - 2] - z[z.size() - 3], d2 = z.back() - z[z.size() - 2],
                         order = std::log2(std::abs(d1 / d2));
            if (order > least) return "";
            said =
                "order " + number(order) + ", differences " + number(d1 / z.back()) + " and " + number(d2 / z.back());
          }
          return said;
        },
        none());
  }
}

// Rows of equilateral triangles that fill the plate bend as a plate of E h^3/12 and a Poisson's ratio of -1/3, but for
// borders, whose part falls with the edge.
TEST(Properties, HingesOfEquilateralTrianglesTendToTheirPlate) {
  const std::pair<const char*, Held> cases[] = {{"strip", Held::asABeam},
                                                {"plate that is supported", Held::around},
                                                {"plate that is clamped", Held::clampedAround}};
  for (const auto& [name, held] : cases) {
    hold(
        std::string("hinges of a ") + name, 4,
        [held = held](unsigned seed, const std::set<std::string>&) -> std::string {
          Draw draw(seed ^ 0x6c617474u);
          const int along = draw.whole(2, 3);
          // Membranes of springs have another Poisson's ratio: dips are small.
          Plate p = plate(draw, held, 0.02, std::sqrt(3.0) / along);
          const double E = p.scene["materials"]["m"]["youngs"], edge = p.length / along;
          p.scene["materials"]["m"]["poisson"] = -1.0 / 3;
          p.scene["probes"]["at"]["position"] =
              "p@" + Json{hasFreeEnd(held) ? p.length : 0.5 * p.length, 0.5 * p.width, 0}.dump();
          const auto dip = [&](int level, const char* bending, double youngs) {
            p.scene["materials"]["m"]["youngs"] = youngs;
            return dipOf(p.scene,
                         {{"rectangle",
                           {{"corner", {0, 0, 0}},
                            {"along", {p.length, 0, 0}},
                            {"across", {0, p.width, 0}},
                            {"edge", edge / (1 << level)}}}},
                         bending);
          };
          double before = 0, off = 0, left = 0;
          for (int level = 2; level <= 5; ++level) {
            before = off, off = dip(level, "hinge", E) / dip(level, "midedge", 8 * E / 9) - 1, left = 2 * off - before;
            if (level > 2 && std::abs(left) < 0.005 && std::abs(off) < 0.05) return "";
          }
          return "off by " + number(off) + " after " + number(before) + ", which tends to " + number(left);
        },
        none());
  }
}

// ---- cuts
// -------------------------------------------------------------------------------------------------------------

enum class Cut { inItsPlane, alongAClamp, besideWhatStands };
enum class Told { whole, cut, alone };

/// A sheet, or its two sides of an uneven seam welded to each other, or the far side alone.
struct Sheet {
  Json scene;
  std::vector<int> near, far;  ///< vertices of the whole on either side; both have the seam
};

Json sideOf(const Mesh& whole, const std::vector<int>& vertices, const std::vector<std::array<int, 3>>& triangles) {
  Mesh mesh;
  std::map<int, int> number;
  for (const int v : vertices)
    number[v] = static_cast<int>(mesh.points.size()), mesh.points.push_back(whole.points[static_cast<std::size_t>(v)]);
  for (const auto& [a, b, c] : triangles) mesh.triangles.push_back({number[a], number[b], number[c]});
  return mesh.json();
}

Sheet sheet(unsigned seed, Cut how, Told told, bool isStatic, const std::set<std::string>& without) {
  Draw draw(seed ^ 0x63757473u);
  Telling t;
  t.without = without;
  const Features has{draw, t};
  const bool flat = how == Cut::inItsPlane;
  const double L = draw.uniform(0.1, 0.3), W = L * draw.uniform(0.5, 1), h = L * draw.log(0.005, 0.03),
               E = draw.log(1e5, 1e9), rho = draw.uniform(500, 5000);
  const int nx = draw.whole(3, 5), ny = draw.whole(2, 3), at = draw.whole(1, nx - 1);
  Mesh mesh = unevenMesh(draw, L, W, nx, ny, 0.2);
  const double bend = draw.uniform(-0.2, 0.2), twist = draw.uniform(-0.2, 0.2);
  if (has("curved", 0.5) && !flat) {
    for (Vec3& x : mesh.points) x.z() = bend * x.x() * x.x() / L + twist * x.x() * x.y() / L;
  }
  Sheet out;
  std::vector<std::string> names(mesh.points.size());
  std::vector<int> seam;
  for (int v = 0; v < static_cast<int>(mesh.points.size()); ++v) {
    const int column = v % (nx + 1);
    if (column <= at)
      names[static_cast<std::size_t>(v)] = "one:" + std::to_string(out.near.size()), out.near.push_back(v);
    if (column == at) seam.push_back(v);
    if (column > at || (column == at && told == Told::alone))
      names[static_cast<std::size_t>(v)] = "far:" + std::to_string(out.far.size());
    if (column >= at) out.far.push_back(v);
    if (told == Told::whole) names[static_cast<std::size_t>(v)] = "one:" + std::to_string(v);
  }
  std::vector<std::array<int, 3>> sides[2];
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
    sides[static_cast<int>(k) / 2 % nx >= at].push_back(mesh.triangles[k]);
  Json& s = out.scene;
  s = {{"format", "tendril/1"},
       {"materials", {{"m", {{"youngs", E}, {"poisson", draw.uniform(0, 0.45)}, {"density", rho}}}}}};
  const double eta = E * draw.log(1e-5, 1e-3);
  if (has("damping", 0.5)) s["materials"]["m"]["damping"] = eta;
  const Json look = {{"thickness", h},
                     {"bending", draw.chance(0.5) ? "midedge" : "hinge"},
                     {"membrane", draw.chance(0.5) ? "stvk" : "springs"}};
  const auto add = [&](const char* name, const Json& own) {
    s["shells"][name] = look, s["shells"][name]["mesh"] = own;
  };
  if (told == Told::whole) add("one", mesh.json());
  if (told == Told::cut) add("one", sideOf(mesh, out.near, sides[0]));
  if (told != Told::whole) add("far", sideOf(mesh, out.far, sides[1]));
  const auto namesOf = [&](const std::vector<int>& vertices) {
    Json list = Json::array();
    for (const int v : vertices) list.push_back(names[static_cast<std::size_t>(v)]);
    return list;
  };
  if (told == Told::cut) {
    for (const int v : seam) {
      const auto place = std::find(out.far.begin(), out.far.end(), v) - out.far.begin();
      s["joints"].push_back(
          {{draw.chance(0.5) ? "weld" : "pin", {names[static_cast<std::size_t>(v)], "far:" + std::to_string(place)}}});
    }
  }
  Draw after(seed + 5);  // the joints have drawn, or not
  const Features later{after, t};
  if (how == Cut::alongAClamp) s["constraints"] = {{{"clamp", namesOf(seam)}}};
  if (how == Cut::besideWhatStands) s["constraints"] = {{{"fix", namesOf(told == Told::alone ? seam : out.near)}}};
  // About as much as bends it by a fifth of its length, or stretches it by a hundredth.
  const double c = std::sqrt(E / rho), slow = flat ? L / c : L * L / (h * c), strength = after.uniform(0.2, 1);
  const double force = strength * (flat ? 0.01 * E * W * h : 0.05 * E * W * h * h * h / (L * L));
  const auto vector = [&](double size) {
    return Telling::list(Vec3(size * after.inCube(1).cwiseProduct(Vec3(1, 1, flat ? 0 : 1))));
  };
  for (int k = 0; k < 2; ++k) {
    const Json push = vector(force);
    const int v = after.whole(0, ny) * (nx + 1) + after.whole(at + 1, nx);
    if (later("force", 0.7)) s["loads"].push_back({{"force", push}, {"at", names[static_cast<std::size_t>(v)]}});
  }
  s["environment"]["gravity"] = vector(later("weight", 0.7) ? force / (rho * L * W * h) : 0);
  s["solver"] = {{"mode", "static"}, {"tolerance", 1e-11}, {"loadSteps", 2}};
  if (isStatic) return out;
  static const char* const integrators[] = {"implicit-euler", "bdf2", "implicit-midpoint"};
  s["solver"] = {
      {"integrator", integrators[after.whole(0, 2)]}, {"dt", 0.05 * slow}, {"duration", slow}, {"tolerance", 1e-11}};
  Json wave = Json::array();
  for (int k = 0; k < 3; ++k) {
    const double v = (flat ? 0.01 : 0.1) * L / slow;
    const std::string text = "=" + digits(v * after.uniform(-1, 1)) + "+" + digits(v * after.uniform(-1, 1)) + "*sin(" +
                             digits(after.uniform(1, 4) / L) + "*(x+y))";
    wave.push_back(flat && k == 2 ? Json(0.0) : Json(text));
  }
  Json initial = Json::array();
  for (const auto& body : s["shells"].items()) initial.push_back({{"of", body.key()}, {"velocity", wave}});
  s["initial"] = initial;
  return out;
}

/// Whether the far side, and the near one where both have it, run alike.
std::string sameSheets(const Sheet& a, Told one, const Sheet& b, Told two) {
  const Course x = run(a.scene.dump(), {}), y = run(b.scene.dump(), {});
  if (x.failure != y.failure) return "one runs, one does not: " + x.failure + y.failure;
  if (!x.failure.empty()) return "skip";
  if (x.retries + y.retries > 0) return "skip";
  // Bodies come by name: "far", then "one".
  const auto place = [](const Sheet& s, const Course& c, Told told, int v, bool far) {
    const std::vector<int>& side = far ? s.far : s.near;
    const std::size_t at = static_cast<std::size_t>(std::find(side.begin(), side.end(), v) - side.begin());
    return c.nodes[told == Told::whole ? static_cast<std::size_t>(v) : far ? at : s.far.size() + at];
  };
  double most = 0;
  for (const int v : a.far) most = std::max(most, (place(a, x, one, v, true) - place(b, y, two, v, true)).norm());
  for (const int v : a.near) {
    if (two != Told::alone) most = std::max(most, (place(a, x, one, v, false) - place(b, y, two, v, false)).norm());
  }
  return most < 1e-8 * y.extent ? "" : "apart by " + number(most / y.extent);
}

// Nothing but the fold across a seam is lost: in its plane, or where a clamp holds the seam, the cut sheet is the
// sheet.
TEST(Properties, ASheetThatIsCutAndWeldedIsTheSheetButForFolding) {
  const std::tuple<const char*, Cut, bool> cases[] = {{"cut in its plane", Cut::inItsPlane, false},
                                                      {"cut along a clamp", Cut::alongAClamp, false},
                                                      {"cut along a clamp at rest", Cut::alongAClamp, true}};
  for (const auto& [name, how, isStatic] : cases) {
    hold(
        name, 40,
        [how = how, isStatic = isStatic](unsigned seed, const std::set<std::string>& without) {
          return sameSheets(sheet(seed, how, Told::whole, isStatic, without), Told::whole,
                            sheet(seed, how, Told::cut, isStatic, without), Told::cut);
        },
        [how = how, isStatic = isStatic](unsigned seed, const Telling& t) {
          return sheet(seed, how, Told::cut, isStatic, t.without).scene.dump();
        });
  }
}

TEST(Properties, ASeamFoldsAsASheetThatIsSupported) {
  hold(
      "seam beside what stands", 40,
      [](unsigned seed, const std::set<std::string>& without) {
        const Cut how = Cut::besideWhatStands;
        return sameSheets(sheet(seed, how, Told::cut, false, without), Told::cut,
                          sheet(seed, how, Told::alone, false, without), Told::alone);
      },
      [](unsigned seed, const Telling& t) {
        return sheet(seed, Cut::besideWhatStands, Told::cut, false, t.without).scene.dump();
      });
}

}  // namespace sheets_test
}  // namespace tendril::properties
