// Everything wrong that a scene can say of linkages: each row with the exact place and words of its problem.
#include "bad_rows.h"

namespace tendril::scene {
namespace bad_linkages_test {

constexpr Row::Form whole = Row::Form::whole, more = Row::Form::more, arm = Row::Form::arm,
                    linkage = Row::Form::linkage, links = Row::Form::links, joint = Row::Form::joint,
                    rigid = Row::Form::rigid, soft = Row::Form::soft;

#define BODY R"J("body": {"rigid": {"length": 1}})J"
#define SECTION R"J("section": {"circle": {"radius": 0.01}})J"
#define ATBODY "/linkages/arm/links/a/body"
#define ATJOINT "/linkages/arm/links/a/joint"

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      // ---- the linkage
      {whole, R"J({"format": "tendril/1", "linkages": ~3~})J", "/linkages", "expected an object with names"},
      {whole, R"J({"format": "tendril/1", "linkages": {"a": {"links": ~{}~}}})J", "/linkages/a/links",
       "needs at least one link"},
      {linkage, R"J(~"cabels"~: {})J", "/linkages/arm/cabels", "did you mean \"cables\""},
      {more, R"J("linkages": {~"leg0"~: {"links": {"a": {)J" BODY R"J(}}}})J", "/linkages/leg0",
       "\"leg0\" is the name of a rod already; rods, shells, linkages, vines and obstacles share"},
      {arm, R"J("obstacles": {~"arm"~: {"sphere": {"center": [9,0,0], "radius": 1}}})J", "/obstacles/arm",
       "\"arm\" is the name of a linkage already"},
      {arm, R"J("defaults": {"linkages": {~"cabels"~: {}}})J", "/defaults/linkages/cabels", "did you mean \"cables\""},
      // ---- base
      {linkage, R"J("base": {"forward": ~[0,0,0]~})J", "/linkages/arm/base/forward", "forward has length 0"},
      {linkage, R"J("base": {"forward": [0,0,1], "up": ~[0,0,-3]~})J", "/linkages/arm/base/up",
       "\"up\" is parallel to \"forward\""},
      {linkage, R"J("base": {"position": [0,0,"=~t~"]})J", "/linkages/arm/base/position/2", "t is not known here"},
      // ---- order of links
      {links, R"J("a": {)J" BODY R"J(, "parent": ~"b"~}, "b": {)J" BODY "}", "/linkages/arm/links/a/parent",
       "\"b\" comes after \"a\" in \"links\"; a link is attached to one listed before it"},
      {links, R"J("a": {)J" BODY R"J(, "parent": ~"a@0.5"~})J", "/linkages/arm/links/a/parent",
       "\"a\" is attached to itself"},
      {links, R"J("palm": {)J" BODY R"J(}, "b": {)J" BODY R"J(, "parent": ~"plam"~})J", "/linkages/arm/links/b/parent",
       "unknown link of \"arm\": \"plam\"; did you mean \"palm\"?"},
      {links, R"J("a": {)J" BODY R"J(}, "b": {)J" BODY R"J(, "parent": ~"a@1.5"~})J", "/linkages/arm/links/b/parent",
       "not a position on a link; expected for example \"palm\" or \"palm@0.5\""},
      {links, R"J("a": {)J" BODY R"J(}, "b": {)J" BODY R"J(, "parent": ~"arm/a"~})J", "/linkages/arm/links/b/parent",
       "names its own links without its own name; expected \"a\""},
      {links, R"J("a": {)J" BODY R"J(, "parent": ~"z"~})J", "/linkages/arm/links/a/parent",
       "no link is listed before \"a\"; expected \"base\", or no \"parent\""},
      {links, R"J("a": {)J" BODY R"J(, "parent": ~"base@0.5"~})J", "/linkages/arm/links/a/parent",
       "the base is one frame"},
      {links, R"J(~"base"~: {)J" BODY "}", "/linkages/arm/links/base", "expected another name"},
      {links, R"J("a": ~{~"parent": "base"})J", "/linkages/arm/links/a", "a link needs the key \"body\""},
      {links, R"J("a": {)J" BODY R"J(, "offset": {"rotation": {"axis": ~[0,0,0]~, "angle": 1}}})J",
       "/linkages/arm/links/a/offset/rotation/axis", "axis has length 0"},
      {links, R"J("a": {)J" BODY R"J(, "offset": {"rotation": {"axis": [0,0,1], "angle": "=~t~"}}})J",
       "/linkages/arm/links/a/offset/rotation/angle", "t is not known here"},
      {links, R"J("a": {)J" BODY R"J(, "fluid": ~{"drag": 1}~})J", "/linkages/arm/links/a/fluid",
       "need the density of the medium"},
      {links, R"J("a": {)J" BODY R"J(, "fluid": {"drag": ~-1~}})J", "/linkages/arm/links/a/fluid/drag", "at least 0"},
      // ---- joints
      {joint, R"J({~"revolut"~: {}})J", ATJOINT "/revolut", "did you mean \"revolute\""},
      {joint, R"J(~{~})J", ATJOINT, "exactly one of fixed, revolute, prismatic"},
      {joint, R"J({"revolute": {}, ~"prismatic"~: {}})J", ATJOINT "/prismatic", "takes only one of"},
      {joint, R"J({"revolute": {"axis": ~"w"~}})J", ATJOINT "/revolute/axis", "expected one of \"x\", \"y\", \"z\""},
      {joint, R"J({"revolute": {"angle": 1, ~"torque"~: 1}})J", ATJOINT "/revolute/torque",
       "takes only one of angle, torque"},
      {joint, R"J({"revolute": {~"displacement"~: 1}})J", ATJOINT "/revolute/displacement",
       "it turns; expected \"angle\" or \"torque\""},
      {joint, R"J({"prismatic": {~"torque"~: 1}})J", ATJOINT "/prismatic/torque",
       "it slides; expected \"displacement\" or \"force\""},
      {joint, R"J({"fixed": {~"angle"~: 1}})J", ATJOINT "/fixed/angle",
       "unknown key \"angle\" in a fixed joint; it has none"},
      {joint, R"J({"spherical": {"angle": ~1~}})J", ATJOINT "/spherical/angle", "expected a list of 3 numbers"},
      {joint, R"J({"planar": {"displacement": ~1~}})J", ATJOINT "/planar/displacement", "expected a list of 2 numbers"},
      {joint, R"J({"planar": {~"rest"~: 1}})J", ATJOINT "/planar/rest",
       "rotate or shift the joint by the link's \"offset\""},
      {joint, R"J({"helical": ~{~}})J", ATJOINT "/helical", "a helical joint needs the key \"pitch\""},
      {joint, R"J({"helical": {"pitch": ~0~}})J", ATJOINT "/helical/pitch", "the pitch is 0"},
      {joint, R"J({"helical": {"pitch": ~"=1-1"~}})J", ATJOINT "/helical/pitch", "the pitch is 0"},
      {joint, R"J({"universal": {"angle": ~1~}})J", ATJOINT "/universal/angle", "a list of 2 numbers"},
      {joint, R"J({"universal": {"torque": ~[1]~}})J", ATJOINT "/universal/torque", "expected 2 numbers"},
      {joint, R"J({"cylindrical": {"stiffness": ~[1,2,3]~}})J", ATJOINT "/cylindrical/stiffness", "expected 2 numbers"},
      {joint, R"J({"revolute": {"stiffness": ~[1,2]~}})J", ATJOINT "/revolute/stiffness", "expected a number"},
      {joint, R"J({"revolute": {"stiffness": ~-1~}})J", ATJOINT "/revolute/stiffness", "at least 0"},
      {joint, R"J({"revolute": {"damping": ~"=t-1"~}})J", ATJOINT "/revolute/damping",
       "at least 0 N m s/rad, but it is -1 at t = 0"},
      {joint, R"J({"revolute": {"angle": "=~u~"}})J", ATJOINT "/revolute/angle", "not a field along the body"},
      {joint, R"J({"revolute": {"torque": "=2*~tip.x~"}})J", ATJOINT "/revolute/torque", "unknown name"},
      // ---- rigid bodies
      {links, R"J("a": {"body": ~{~}})J", ATBODY, "exactly one of rigid, soft"},
      {rigid, R"J({"length": ~-1~})J", ATBODY "/rigid/length", "at least 0"},
      {rigid, R"J(~{"length": 1, )J" SECTION "}~", ATBODY "/rigid", "a section needs \"density\" [kg/m^3] or \"mass\""},
      {rigid, R"J({"length": 1, ~"density"~: 1000})J", ATBODY "/rigid/density", "goes only with section"},
      {rigid, R"J({"density": ~1000~, )J" SECTION "}", ATBODY "/rigid/density", "needs a length greater than 0"},
      {rigid, R"J({"length": 1, "density": 1000, ~"mass"~: 1, )J" SECTION "}", ATBODY "/rigid/mass",
       "takes only one of density, mass"},
      {rigid, R"J({"length": 1, ~"inertia"~: [1,1,1]})J", ATBODY "/rigid/inertia", "goes only with mass"},
      {rigid, R"J({"mass": 1, "inertia": ~[3,1,1]~})J", ATBODY "/rigid/inertia",
       "the one about x is larger than the sum of the other two"},
      {rigid, R"J({"mass": ~0~})J", ATBODY "/rigid/mass", "greater than 0 kg"},
      {rigid, R"J({"mass": ~"=1/0"~})J", ATBODY "/rigid/mass", "no finite number"},
      {rigid,
       R"J({"length": 1, "mass": 1, "section": ~{"stiffness": {"EA": 1, "EI1": 1, "EI2": 1, "GJ": 1, "massPerLength": 1, "radius": 1}}~})J",
       ATBODY "/rigid/section", "a rigid body has no stiffness"},
      {rigid, R"J({"length": 1, "density": 1, "section": {"circle": {"radius": ~"=0.5 - u"~}}})J",
       ATBODY "/rigid/section/circle/radius", "greater than 0 m, but it is -0.01"},
      {rigid, R"J({"length": 1, "density": 1, "section": {"circle": {"radius": "=~x~"}}})J",
       ATBODY "/rigid/section/circle/radius", "along a link only s and u are"},
      // ---- soft bodies
      {soft, R"J(~{)J" SECTION R"J(, "strains": {"bendY": 0}}~)J", ATBODY "/soft", "\"length\" is missing"},
      {soft, R"J(~{"length": 1, "strains": {"bendY": 0}}~)J", ATBODY "/soft", "\"section\" is missing"},
      {soft, R"J(~{"length": 1, )J" SECTION "}~", ATBODY "/soft",
       "this soft body takes no strains, so it cannot deform"},
      {soft, R"J({"length": 1, "strains": ~{}~, )J" SECTION "}", ATBODY "/soft/strains", "or a \"rigid\" body"},
      {soft, R"J({"length": 1, "material": ~"ruber"~, "strains": {"bendY": 0}, )J" SECTION "}", ATBODY "/soft/material",
       "did you mean \"rubber\""},
      {soft, R"J({"length": 1, "strains": {"bendY": ~1.5~}, )J" SECTION "}", ATBODY "/soft/strains/bendY",
       "an integer"},
      {soft, R"J({"length": 1, "strains": {"bendY": ~"=2.5"~}, )J" SECTION "}", ATBODY "/soft/strains/bendY",
       "an integer"},
      {soft, R"J({"length": 1, "strains": {~"bend"~: 1}, )J" SECTION "}", ATBODY "/soft/strains/bend",
       "did you mean \"bendY\""},
      {soft, R"J({"length": 1, "strains": {"bendY": 6}, "points": ~5~, )J" SECTION "}", ATBODY "/soft/points",
       "5 points do not tell the 7 functions of \"bendY\" apart (order 6); expected at least 7"},
      {soft, R"J({"length": 1, "basis": "fourier", "strains": {"bendY": 3, "bendZ": 1}, "points": ~6~, )J" SECTION "}",
       ATBODY "/soft/points", "7 functions of \"bendY\""},
      {soft, R"J({"length": 1, "basis": "hermite", "strains": {"bendZ": ~2~}, )J" SECTION "}",
       ATBODY "/soft/strains/bendZ", "0, 3, 5, 7 ...; \"bendZ\" has order 2"},
      {soft, R"J({"length": 1, "basis": ~"legendr"~, "strains": {"bendY": 0}, )J" SECTION "}", ATBODY "/soft/basis",
       "did you mean \"legendre\""},
      {soft, R"J({"length": 1, "magnus": ~3~, "strains": {"bendY": 0}, )J" SECTION "}", ATBODY "/soft/magnus",
       "expected 2, 4 or 6, found 3"},
      {soft, R"J({"length": 1, "substeps": ~0~, "strains": {"bendY": 0}, )J" SECTION "}", ATBODY "/soft/substeps",
       "from 1 to 100"},
      {soft, R"J({"length": 1, "strains": {"bendY": 0}, "natural": {"stretch": ~"=-2*u"~}, )J" SECTION "}",
       ATBODY "/soft/natural/stretch", "greater than -1"},
      {soft, R"J({"length": 1, "strains": {"bendY": 0}, "natural": {"bendY": ~"=1/u"~}, )J" SECTION "}",
       ATBODY "/soft/natural/bendY", "no finite number"},
      {soft, R"J({"length": 1, "strains": {"bendY": 0}, "natural": {"bendY": "=~t~"}, )J" SECTION "}",
       ATBODY "/soft/natural/bendY", "t is not known here"},
      {soft,
       R"J({"length": 1, "strains": {"bendY": 0}, "section": {"rectangle": {"width": 1, "height": ~"=1 - 2*u"~}}})J",
       ATBODY "/soft/section/rectangle/height", "height must be greater than 0 m"},
      {soft, R"J({"length": 1, "strains": {"bendY": 0}, "section": {"tube": {"radius": 1, "wall": ~"=u+0.5"~}}})J",
       ATBODY "/soft/section/tube/wall", "thicker than the radius (1 m) at u = 0.51"},
      {soft,
       R"J({"length": 1, "strains": {"bendY": 0}, "section": {"stiffness": ~{"EA": 1, "EI1": 1, "EI2": 1, "GJ": 1, "massPerLength": 1}~}})J",
       ATBODY "/soft/section/stiffness", "needs \"radius\" beside \"stiffness\""},
      {soft, R"J({"length": 1, "strains": {"bendY": 0}, "section": {"circle": {"radius": ~"=0.01*(1 - u)"~}}})J",
       ATBODY "/soft/section/circle/radius", "it is 0 at u = 1, and a soft body needs a section at its very ends too"},
      {soft, R"J({"length": 1, "strains": {"bendY": 0}, "section": {"ellipse": {"a": ~"=0.01*u"~, "b": 0.01}}})J",
       ATBODY "/soft/section/ellipse/a", "it is 0 at u = 0"},
      {soft, R"J({"length": 1, "strains": {"bendY": 0}, "section": {"circle": {"radius": ~"=abs(u - 0.5)"~}}})J",
       ATBODY "/soft/section/circle/radius", "greater than 0 m, but it is 0 at u = 0.5"},
      {soft,
       R"J({"length": 1, "strains": {"bendY": 3}, "basis": "fem", "section": {"circle": {"radius": ~"=abs(u - 1/3) + (u != 1/3)*1e-9"~}}})J",
       ATBODY "/soft/section/circle/radius", "but it is 0 at u = 0.333333"},
      {soft,
       R"J({"length": 1, "strains": {"bendY": 0}, "section": {"stiffness": {"EA": 1, "EI1": ~"=1 - u"~, "EI2": 1, "GJ": 1, "massPerLength": 1, "radius": 1}}})J",
       ATBODY "/soft/section/stiffness/EI1", "it is 0 at u = 1"},
      {soft, R"J({"length": 1, "strains": {"bendY": 0}, "section": ~{"circle": {"radius": 1e300}}~})J",
       ATBODY "/soft/section", "a body of this size cannot be computed: half-axes of 1e+300 m"},
      {soft, R"J({"length": 1, "strains": {"bendY": 0}, "section": ~{"circle": {"radius": 1e-200}}~})J",
       ATBODY "/soft/section", "a body of this size cannot be computed"},
      {soft, R"J({"length": 1e300, "strains": {"bendY": 0}, "section": ~{"circle": {"radius": 1}}~})J",
       ATBODY "/soft/section", "a length of 1e+300 m; expected sizes in meters"},
      {rigid, R"J({"length": 1e300, "density": 1, "section": ~{"circle": {"radius": 1}}~})J", ATBODY "/rigid/section",
       "a body of this size cannot be computed"},
      {soft, R"J({"divisions": ~[]~, "length": 1, "strains": {"bendY": 0}, )J" SECTION "}", ATBODY "/soft/divisions",
       "at least one division"},
      {soft, R"J(~{"divisions": [{"length": 1}, {}], "strains": {"bendY": 0}, )J" SECTION "}~", ATBODY "/soft",
       "expected the length of every division"},
      {soft, R"J({"divisions": [{"length": 1}, {}], "length": ~1~, "strains": {"bendY": 0}, )J" SECTION "}",
       ATBODY "/soft/length", "nothing is left for the others"},
      {soft, R"J({"divisions": [{"length": 1}, {"length": 1}], "length": ~1~, "strains": {"bendY": 0}, )J" SECTION "}",
       ATBODY "/soft/length", "add up to 2 m, not to 1 m"},
      {soft, R"J({"divisions": [{"length": 1, ~"divisions"~: []}], "strains": {"bendY": 0}, )J" SECTION "}",
       ATBODY "/soft/divisions/0/divisions", "divisions are not divided again"},
  };
  return table;
}

#undef BODY

/// The cable of a linkage of two soft links "a" and "b" and a rigid one "c" at the tip.
const std::vector<Row>& cableRows() {
  static const std::vector<Row> table = {
      {whole, R"J("through": ~"aa"~, "path": {"constant": [0,0]})J", "/through",
       "unknown link of \"arm\": \"aa\"; expected one of a, b, c, d"},
      {whole, R"J("through": ["a", ~"a"~], "path": {"constant": [0,0]})J", "/through/1", "runs through \"a\" twice"},
      {whole, R"J("through": ["b", ~"a"~], "path": {"constant": [0,0]})J", "/through/1",
       "\"a\" comes before \"b\", which is attached to it"},
      {whole, R"J("through": ~[]~, "path": {"constant": [0,0]})J", "/through", "found an empty list"},
      {whole, R"J("through": ["a", ~3~], "path": {"constant": [0,0]})J", "/through/1", "found 3"},
      {whole, R"J("through": "a", "path": ~{~})J", "/path", "exactly one of constant, oblique, helical, custom"},
      {whole, R"J("through": "a", "path": {"constant": ~[0]~})J", "/path/constant", "expected 2 numbers"},
      {whole, R"J("through": "a", "path": ~{"constant": [0.008, 0.008]}~)J", "/path",
       "leaves \"a\" at s = 0.002 m: it runs at y = 0.008 m, z = 0.008 m, and the section's half-axes are 0.01 m and 0.01 m"},
      {whole, R"J("through": ["a", "b"], "path": ~{"oblique": {"from": [0, 0], "to": [0.0101, 0]}}~)J", "/path",
       "leaves \"b\""},
      {whole, R"J("through": "b", "path": ~{"constant": [0, 0.0051]}~)J", "/path", "half-axes are 0.01 m and 0.005 m"},
      {whole, R"J("through": "c", "path": ~{"constant": [0, 0.02]}~)J", "/path", "leaves \"c\""},
      {whole, R"J("through": "a", "path": ~{"custom": {"y": "=s", "z": 0}}~)J", "/path", "leaves \"a\" at s = 0.01"},
      {whole, R"J("through": "a", "path": {"custom": {"y": "=~t~", "z": 0}})J", "/path/custom/y",
       "t is not known here"},
      {whole, R"J("through": "a", "path": {"helical": {"radius": 0.005, "pitch": ~0~}})J", "/path/helical/pitch",
       "the pitch is 0"},
      {whole, R"J("through": "a", "path": {"helical": {"radius": ~0~, "pitch": 1}})J", "/path/helical/radius",
       "greater than 0"},
      {whole, R"J("through": "d", "path": ~{"oblique": {"from": [0,0], "to": [0,1]}}~)J", "/path",
       "have no length; expected a \"constant\" path"},
      {whole, R"J("through": "a", "path": ~{"custom": {"y": "=1/(u - u)", "z": 0}}~)J", "/path", "gave infinity"},
      {whole, R"J("through": "a", "path": {"constant": [0,0]}, "tension": "=~s~")J", "/tension", "not a field"},
      {whole, R"J("through": "a", "path": {"constant": [0,0]}, "from": ~2~)J", "/from",
       "\"a\" has 1 division; found 2"},
      {whole, R"J("through": "c", "path": {"constant": [0,0]}, "to": ~1~)J", "/to",
       "\"c\" is rigid and has no divisions"},
  };
  return table;
}

/// The rest of an arm: its loops, and the other sections of a scene.
const std::vector<Row>& otherRows() {
  static const std::vector<Row> table = {
      // ---- loops
      {linkage, R"J("loops": [{"from": ~"limbs"~, "to": "base", "joint": {"revolute": {}}}])J",
       "/linkages/arm/loops/0/from", "did you mean \"limb\""},
      {linkage, R"J("loops": [{"from": "limb", "to": ~"limb@2"~, "joint": {"revolute": {}}}])J",
       "/linkages/arm/loops/0/to", "not a position on a link"},
      {linkage, R"J("loops": [~{"from": "limb", "to": "limb@0.5", "joint": {"revolute": {}}}~])J",
       "/linkages/arm/loops/0", "joins \"limb\" with itself"},
      {linkage, R"J("loops": [~{"from": "base", "to": "base", "joint": {"revolute": {}}}~])J", "/linkages/arm/loops/0",
       "joins the base with itself"},
      {linkage, R"J("loops": [{"from": "limb", "to": "base", "joint": {~"free"~: {}}}])J",
       "/linkages/arm/loops/0/joint/free", "closes nothing"},
      {linkage, R"J("loops": [{"from": "limb", "to": "base", "joint": {"revolute": {"axis": "y", ~"angle"~: 1}}}])J",
       "/linkages/arm/loops/0/joint/revolute/angle",
       "neither driven nor loaded, and has no spring; give \"angle\" to a joint of the chain"},
      {linkage, R"J("loops": [{"from": "limb", "to": "base", "joint": {"universal": {~"stiffness"~: 1}}}])J",
       "/linkages/arm/loops/0/joint/universal/stiffness", "has no spring"},
      {linkage, R"J("loops": [~{~"from": "limb", "to": "base"}])J", "/linkages/arm/loops/0", "needs the key \"joint\""},
      // ---- selectors of places
      {arm, R"J("probes": {"p": {"position": ~"arn:tip"~}})J", "/probes/p/position",
       "unknown linkage \"arn\"; did you mean \"arm\"?"},
      {arm, R"J("probes": {"p": {"position": ~"arn"~}})J", "/probes/p/position", "unknown linkage \"arn\""},
      {arm, R"J("probes": {"p": {"position": ~"arm/lim:tip"~}})J", "/probes/p/position",
       "unknown link \"arm/lim\"; did you mean \"arm/limb\"?"},
      {arm, R"J("probes": {"p": {"position": ~"arm/g*:tip"~}})J", "/probes/p/position",
       "\"g*\" matches no link of \"arm\""},
      {arm, R"J("probes": {"p": {"position": ~"arm@0.5"~}})J", "/probes/p/position",
       "needs the name of a link; expected for example \"arm/hub@0.5\""},
      {arm, R"J("probes": {"p": {"position": ~"arm:last"~}})J", "/probes/p/position",
       "\":last\" is not a position on a linkage; expected the tip"},
      {arm, R"J("probes": {"p": {"position": ~"arm/limb@1.5"~}})J", "/probes/p/position",
       "not a position on a linkage"},
      {arm, R"J("probes": {"p": {"position": ~"arm/limb@[0,0,0]"~}})J", "/probes/p/position",
       "from 0 (its joint) to 1 (its tip)"},
      {arm, R"J("probes": {"p": {"position": ~{"of": "arm", "where": "x > 0"}~}})J", "/probes/p/position",
       "\"arm\" is a linkage; expected positions on its links"},
      {arm, R"J("probes": {"p": {"position": ["arm:tip", ~{"of": "arm", "where": "x > 0"}~]}})J",
       "/probes/p/position/1", "is a linkage"},
      {arm, R"J("probes": {"p": {"distance": [~"arm/hup"~, "arm:tip"]}})J", "/probes/p/distance/0",
       "did you mean \"arm/hub\""},
      {more, R"J("probes": {"p": {"position": ~"arm:tip"~}})J", "/probes/p/position", "the end of a rod is \":last\""},
      {more, R"J("probes": {"p": {"position": ~"arm/limb"~}})J", "/probes/p/position",
       "unknown linkage \"arm\"; the scene has none"},
      // ---- where linkages do not fit
      {arm, R"J("constraints": [{"clamp": ~"arm:tip"~}])J", "/constraints/0/clamp",
       "\"arm:tip\" is a linkage, and \"clamp\" constrains rods and shells; a link is constrained by its joint"},
      {arm, R"J("constraints": [{"fix": ~{"of": "arm", "where": "1"}~}])J", "/constraints/0/fix", "is a linkage"},
      {arm, R"J("constraints": [{"turn": ~"arm/hub"~, "angle": 1}])J", "/constraints/0/turn",
       "\"arm/hub\" is on a linkage, and \"turn\" constrains"},
      {arm, R"J("joints": [{"weld": [~"arm:tip"~, "arm/hub"]}])J", "/joints/0/weld/0", "\"loops\" close chains"},
      {arm, R"J("loads": [{"line": [0,0,1], "on": ~"arm/hub"~}])J", "/loads/0/on",
       "acts along soft links, and \"arm/hub\" is rigid"},
      {arm, R"J("loads": [{"force": [0,0,1], "at": ~"arm"~, "per": "area"}])J", "/loads/0/at",
       "on a soft link expected \"per\": \"length\" or \"mass\""},
      {arm, R"J("loads": [{"force": ~[0,0,"=nx"]~, "at": "arm:tip"}])J", "/loads/0/force",
       "whose direction is tx ty tz"},
      {arm, R"J("loads": [{"wrench": {"force": [0,0,1]}, "link": ~"arm/hub"~}])J", "/loads/0/link",
       "\"arm/hub\" is rigid; give it a \"follower\""},
      {arm, R"J("loads": [{"pressure": 1, "on": ~"arm"~}])J", "/loads/0/on", "a cable with negative \"tension\""},
      {arm, R"J("actuation": [{"rod": ~"arm"~, "twist": 1}])J", "/actuation/0/rod",
       "links are actuated by their driven joints, by the tensions of \"cables\", and where they are soft by {\"link\": ..., "
       "\"natural\": ...}"},
      {arm, R"J("actuation": [{"link": ~"arm/hub"~, "natural": {"bendY": 1}}])J", "/actuation/0/link",
       "are strains of soft links, and \"arm/hub\" is rigid; a joint is driven"},
      {arm, R"J("actuation": [{"shell": ~"arm"~, "angle": 1}])J", "/actuation/0/shell", "links are actuated"},
      {arm, R"J("probes": {"p": {"curvature": ~"arm/hub"~}})J", "/probes/p/curvature",
       "\"arm/hub\" is rigid and has no strain; expected a position on a soft link"},
      {arm, R"J("probes": {"p": {"strain": ~"arm"~}})J", "/probes/p/strain", "\"arm/hub\" is rigid and has no strain"},
      {arm, R"J("probes": {"p": {"strain": ~"arm/limb@1.5"~}})J", "/probes/p/strain", "is not a position on a linkage"},
      {arm, R"J("probes": {"p": {"stretch": ~"arm/limb@0.5"~}})J", "/probes/p/stretch",
       "take the \"strain\" of a soft link"},
      {more, R"J("probes": {"p": {"strain": ~"arm:3"~}})J", "/probes/p/strain",
       "\"strain\" measures soft links; on rods take the \"curvature\""},
      {arm, R"J("probes": {"p": {"reaction": ~"arm"~}})J", "/probes/p/reaction", "take the \"jointEffort\" of a link"},
      {arm, R"J("probes": {"p": {"length": ~"arm/limb"~}})J", "/probes/p/length", "the length of a \"cable\""},
      {arm, R"J("probes": {"p": {"angle": ~"arm/hub"~}})J", "/probes/p/angle", "take the \"jointAngle\" of a link"},
      {whole,
       R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}}, "rods": {"r": {"section": {"circle": {"radius": 1}}, "path": {"line": {"from": [0,0,0], "to": [9,0,0]}}}},
        "linkages": {"a": {"links": {"b": {"body": {"rigid": {"mass": 1}}}}}}, "loads": [{"force": [0,0,1], "share": true, "at": ~["r", "a:tip"]~}]})J",
       "/loads/0/at", "equally over the points of linkages"},
      // ---- probes
      {arm, R"J("probes": {"p": {"jointAngle": ~"arm"~}})J", "/probes/p/jointAngle",
       "\"arm\" has 2 joints; expected one link, such as \"arm/hub\""},
      {arm, R"J("probes": {"p": {"jointAngle": ~"arm/hub:tip"~}})J", "/probes/p/jointAngle", "expected a whole link"},
      {arm, R"J("probes": {"p": {"jointEffort": ~"arm/hubb"~}})J", "/probes/p/jointEffort", "did you mean \"arm/hub\""},
      {links,
       R"J("a": {"body": {"rigid": {"mass": 1}}}}}}, "probes": {"p": {"jointAngle": ~"arm/a"~}}, "defaults": {"linkages": {"look": {)J",
       "/probes/p/jointAngle", "is fixed and has no coordinate"},
      {arm, R"J("probes": {"p": {"cable": ~"arm/c2"~}})J", "/probes/p/cable",
       "unknown cable \"arm/c2\"; did you mean \"arm/c1\"?"},
      {arm, R"J("probes": {"p": {"cableRate": ~"c"~}})J", "/probes/p/cableRate", "expected one of arm/c1"},
      {arm, R"J("probes": {"p": {"energy": "total", "of": ~"amr"~}})J", "/probes/p/of",
       "unknown body \"amr\"; did you mean \"arm\"?"},
      {arm, R"J("probes": {"p": {"energy": "total", "of": ~"arm/limb"~}})J", "/probes/p/of",
       "\"arm/limb\" is a part of \"arm\"; expected the name of a whole body: arm"},
      {arm, R"J("probes": {"p": {"jointAngle": "arm/limb"}}, "checks": [{"expect": "~p~ > 0"}])J", "/checks/0/expect",
       "this probe has several columns, such as \"p.q0\""},
      {whole,
       R"J({"format": "tendril/1", "solver": {"mode": "static"}, "obstacles": {"floor": {"plane": {"point": [0,0,-9], "normal": [0,0,1]}}}, "linkages": {"arm": {"links": {"a": {"body": {"soft": {"divisions": [{"length": 1},
        {"length": 1, "section": {"circle": {"radius": 1}}, "material": "m"}], "strains": {"bendY": 0}, "section": ~{"stiffness": {"EA": 1, "EI1": 1, "EI2": 1, "GJ": 1, "massPerLength": 1}}~}}}}}}, "materials": {"m": {"youngs": 1, "density": 1}}})J",
       "/linkages/arm/links/a/body/soft/section",
       "link \"arm/a\" has no radius, and contact needs one; expected \"radius\" beside \"stiffness\""},
      // ---- initial
      {arm, R"J("initial": [{"of": "arm/hub", "bendY": ~1~}])J", "/initial/0/bendY",
       "\"hub\" has no bendY: it is rigid"},
      {arm, R"J("initial": [{"of": "arm/limb", "shearZRate": ~1~}])J", "/initial/0/shearZRate",
       "no shearZ among its \"strains\""},
      {arm, R"J("initial": [{"of": "arm/limb", "bendY": "=~x~"}])J", "/initial/0/bendY",
       "along a link only s and u are"},
      {arm, R"J("initial": [{"of": "arm/limb", ~"velocity"~: [0,0,1]}])J", "/initial/0/velocity",
       "such as \"angleRate\""},
      {arm, R"J("initial": [{"of": "arm/limb", "angle": ~0.1~}])J", "/initial/0/angle",
       "the spherical joint of \"limb\" has 3 rotations; found 1 number"},
      {arm, R"J("initial": [{"of": "arm/hub", "displacement": ~0.1~}])J", "/initial/0/displacement",
       "the revolute joint of \"hub\" has 0 translations"},
      {arm, R"J("initial": [{"of": ~"arm"~, "angle": 0.1}])J", "/initial/0/of",
       "joints of different kinds (\"hub\" and \"limb\")"},
      {arm, R"J("initial": [{"of": ~"arm/limb@0.5"~, "bendY": 0.1}])J", "/initial/0/of", "expected a whole link"},
      {arm, R"J("initial": [~{~"of": "arm/limb"}])J", "/initial/0", "\"of\" needs one of these beside it"},
      {more, R"J("initial": [{"of": "arm", ~"bendY"~: 1}])J", "/initial/0/bendY", "is for linkages"},
      {links,
       R"J("a": {"joint": {"revolute": {"angle": "=t"}}, "body": {"rigid": {"mass": 1}}}}}}, "initial": [{"of": "arm/a", "angleRate": ~1~}], "defaults": {"linkages": {"look": {)J",
       "/initial/0/angleRate", "the joint of \"a\" is driven"},
  };
  return table;
}

TEST(BadLinkages, EveryRowIsRefusedAtItsPlaceAndInItsWords) {
  for (const Row& row : rows()) expectRefused(row);
}

TEST(BadLinkages, EveryCable) {
  static const std::string before = R"J(
    "a": {"body": {"soft": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "strains": {"bendY": 0}}}},
    "b": {"body": {"soft": {"length": 0.2, "section": {"ellipse": {"a": 0.01, "b": 0.005}}, "strains": {"bendY": 0}}}},
    "c": {"body": {"rigid": {"length": 0.2, "section": {"rectangle": {"width": 0.02, "height": 0.02}}, "density": 1}}},
    "d": {"body": {"rigid": {"mass": 1}}})J";
  for (const Row& row : cableRows()) {
    const std::string text = linksText(before, std::string(R"J("cables": {"w": {)J") + row.text + "}}");
    const std::string pointer = std::string("/linkages/arm/cables/w") + row.pointer;
    expectRefused({whole, text.c_str(), pointer.c_str(), row.message});
  }
}

TEST(BadLinkages, OtherSections) {
  for (const Row& row : otherRows()) expectRefused(row);
}

/// What fits must not be refused with what does not.
TEST(BadLinkages, NeighborsOfTheFaultsLoad) {
  for (const char* members :
       {R"J("cables": {"w": {"through": "limb", "path": {"constant": [0.006, 0.008]}}})J",
        R"J("cables": {"w": {"through": "limb", "path": {"constant": [0.06, 0.08]}, "outside": true}})J",
        R"J("cables": {"w": {"through": ["hub"], "path": {"constant": [0, 0.01]}}})J",
        R"J("cables": {"w": {"through": ["hub", "limb"], "path": {"helical": {"radius": 0.01, "pitch": -0.1}}}})J"}) {
    std::string text = armText("", members);
    text.erase(text.find(" \"cables\": {\"c1\""),
               text.find("\n \"cables\": {\"w\"") - text.find(" \"cables\": {\"c1\""));
    EXPECT_EQ(listed(problemsOf(text)), "  (it loads)\n") << text;
  }
  for (const char* body :
       {R"J({"length": 1, "section": {"circle": {"radius": "=0.01*(1.001 - u)"}}, "strains": {"bendY": 0}})J",
        R"J({"length": 1, "basis": "hermite", "section": {"circle": {"radius": 1}}, "strains": {"bendY": 3}})J",
        R"J({"length": 1, "points": 7, "section": {"circle": {"radius": 1}}, "strains": {"bendY": 6}})J"})
    EXPECT_EQ(listed(problemsOf(linksText(std::string(R"J("a": {"body": {"soft": )J") + body + "}}"))),
              "  (it loads)\n");
}

}  // namespace bad_linkages_test
}  // namespace tendril::scene
