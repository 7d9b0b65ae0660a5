// Everything wrong that a scene can hold: a table of bad scenes, each with the exact place and words of its problem.
#include <algorithm>
#include <cmath>

#include "bad_rows.h"

namespace tendril::scene {
namespace bad_input_test {

constexpr Row::Form whole = Row::Form::whole, more = Row::Form::more, rod = Row::Form::rod;

// A path for rods whose other members are wrong.
#define LINE R"J("path": {"line": {"from": [0,0,0], "to": [1,0,0]}})J"

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      // ---- text
      {whole, R"J(~)J", "", ""},
      {whole, R"J({"format": "tendril/1", ~)J", "", ""},
      {whole, R"J({"format": ~tendril~})J", "", ""},
      {whole, R"J(~[1, 2]~)J", "", "a scene is an object"},
      {whole, R"J({"format": "tendril/1", "rods": {}, ~"rods"~: {}})J", "/rods", "rods"},
      // ---- top level
      {more, R"J(~"rodes"~: {})J", "/rodes", "did you mean \"rods\""},
      {more, R"J("linkages": {"a": ~{~}})J", "/linkages/a", "needs the key \"links\""},
      {whole, R"J({"format": ~"tendril/2"~, "rods": {}})J", "/format", "tendril/1"},
      {whole, R"J(~{~"rods": {}})J", "", "format"},
      {whole, R"J(~{"format": "tendril/1"}~)J", "", "the scene has no bodies"},
      // ---- parameters, series
      {more, R"J("parameters": {"a": ~"=b"~, "b": "=a"})J", "/parameters/a", "cycle"},
      {more, R"J("parameters": {"a": ~"=1/0"~})J", "/parameters/a", "no finite value"},
      {more, R"J("parameters": {~"t"~: 1})J", "/parameters/t", "reserved"},
      {more, R"J("parameters": {"E": {"value": 1, "min": 3, "max": ~2~}})J", "/parameters/E/max",
       "max must be greater"},
      {more, R"J("series": {"s1": {"time": [0, ~0~], "value": [1, 2]}})J", "/series/s1/time/1", "increase"},
      {more, R"J("series": {"s1": {"time": [0, 1], "value": ~[1]~}})J", "/series/s1/value", "2 times"},
      // ---- materials
      {whole, R"J({"format": "tendril/1", "materials": {"m": {"youngs": ~-3~, "density": 1}}})J", "/materials/m/youngs",
       "greater than 0"},
      {whole,
       R"J({"format": "tendril/1", "parameters": {"E": -3}, "materials": {"m": {"youngs": ~"=E"~, "density": 1}}})J",
       "/materials/m/youngs", "greater than 0"},
      {whole, R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1, "poisson": ~0.6~}}})J",
       "/materials/m/poisson", "0.5"},
      {whole, R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1, "damping": ~"=-1"~}}})J",
       "/materials/m/damping", "0"},
      {whole, R"J({"format": "tendril/1", "materials": {"m": {"youngs": "=~t~", "density": 1}}})J",
       "/materials/m/youngs", "t is not known here"},
      {whole, R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1, ~"yuongs"~: 2}}})J",
       "/materials/m/yuongs", "youngs"},
      // ---- rods: material, section
      {rod, R"J("material": ~"ruber"~, )J" LINE, "/rods/arm/material", "did you mean \"rubber\""},
      {whole,
       R"J({"format": "tendril/1", "materials": {"a": {"youngs": 1, "density": 1}, "b": {"youngs": 1, "density": 1}},
        "rods": {"arm": ~{"section": {"circle": {"radius": 1}}, )J" LINE R"J(}~}})J",
       "/rods/arm", "only where the scene has one"},
      {whole, R"J({"format": "tendril/1", "rods": {"arm": ~{"section": {"circle": {"radius": 1}}, )J" LINE R"J(}~}})J",
       "/rods/arm", "none in \"materials\""},
      {rod, R"J("section2": 1, ~"sektion"~: 2, )J" LINE, "/rods/arm/sektion", "section"},
      {whole,
       R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}}, "rods": {"arm": {"section": {"circle": {"radius": ~0~}}, )J" LINE
       R"J(}}})J",
       "/rods/arm/section/circle/radius", "greater than 0"},
      {whole,
       R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}}, "rods": {"arm": {"section": {"circle": {"radius": ~"=0.01 - 0.02*u"~}}, )J" LINE
       R"J(}}})J",
       "/rods/arm/section/circle/radius", "at edge 20"},
      {whole,
       R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}}, "rods": {"arm": {"section": {"circle": {"radius": ~"=sqrt(0.5 - u)"~}}, )J" LINE
       R"J(}}})J",
       "/rods/arm/section/circle/radius", "no finite number"},
      {whole,
       R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}}, "rods": {"arm": {"section": {"tube": {"radius": 1, "wall": ~2~}}, )J" LINE
       R"J(}}})J",
       "/rods/arm/section/tube/wall", "thicker than the radius"},
      {whole,
       R"J({"format": "tendril/1", "rods": {"arm": {"section": {"stiffness": ~{"EA": 1, "EI1": 1, "EI2": 1, "GJ": 1}~, "massPerLength": 1}, )J" LINE
       R"J(}}})J",
       "/rods/arm/section/stiffness", "\"radius\""},
      // ---- rods: path
      {rod, R"J("segments": ~1e12~, )J" LINE, "/rods/arm/segments", "200000"},
      {rod, R"J("segments": ~2.5~, )J" LINE, "/rods/arm/segments", "integer"},
      {rod, R"J("segments": ~0~, )J" LINE, "/rods/arm/segments", "integer"},
      {rod, R"J("segments": ~"=40/3"~, )J" LINE, "/rods/arm/segments", "integer"},
      {rod, R"J("segments": ~"=1/0"~, )J" LINE, "/rods/arm/segments", "no finite number"},
      {rod, R"J("path": {"line": ~{"from": [1,0,0], "to": [1,0,0]}~})J", "/rods/arm/path/line", "same point"},
      {rod, R"J("path": {"line": {"from": ~[1,0]~, "to": [1,0,0]}})J", "/rods/arm/path/line/from", "3 numbers"},
      {rod, R"J("path": {"arc": ~{"center": [0,0,0], "from": [0,0,1], "axis": [0,0,1], "angle": 1}~})J",
       "/rods/arm/path/arc", "lies on the axis"},
      {rod, R"J("path": {"arc": ~{"center": [0,0,0], "from": [1,0,1], "axis": [0,0,0], "angle": 1}~})J",
       "/rods/arm/path/arc", "axis has length 0"},
      {rod,
       R"J("segments": 3, "path": {"arc": ~{"center": [0,0,0], "from": [1,0,1], "axis": [0,0,1], "angle": 9.5}~})J",
       "/rods/arm/path/arc", "more segments"},
      {rod, R"J("path": {"helix": {"center": [0,0,0], "from": [1,0,1], "axis": [0,0,1], "pitch": 1, "length": ~-2~}})J",
       "/rods/arm/path/helix/length", "greater than 0"},
      {rod, R"J("path": {"curve": {"x": ~"=log(u)"~, "y": 0, "z": 0}})J", "/rods/arm/path/curve/x", "at u = 0"},
      {rod, R"J("path": {"curve": {"x": "=~s~", "y": 0, "z": 0}})J", "/rods/arm/path/curve/x", "s"},
      {rod, R"J("path": {"curve": ~{"x": 1, "y": 0, "z": 0}~})J", "/rods/arm/path/curve", "length 0"},
      {rod, R"J("path": {"points": ~[[0,0,0]]~})J", "/rods/arm/path/points", "two points"},
      {rod, R"J("path": {"points": ~[[0,0,0],[1,0,0],[1,0,0]]~})J", "/rods/arm/path/points", "nodes 1 and 2"},
      {rod, R"J("path": {"points": ~[[0,0,0],[1,0,0],[0.5,0,0]]~})J", "/rods/arm/path/points", "180 degrees"},
      {rod, R"J("segments": ~3~, "path": {"points": [[0,0,0],[1,0,0]]})J", "/rods/arm/segments", "points"},
      {rod, R"J("path": {~"lines"~: {"from": [0,0,0], "to": [1,0,0]}})J", "/rods/arm/path/lines",
       "did you mean \"line\""},
      {rod, R"J("frame": ~[2,0,0]~, )J" LINE, "/rods/arm/frame", "parallel"},
      {rod, R"J("frame": ~[0,0,0]~, )J" LINE, "/rods/arm/frame", "length 0"},
      // ---- rods: natural
      {rod, R"J("natural": ~"strait"~, )J" LINE, "/rods/arm/natural", "straight"},
      {rod, R"J("natural": {"curvature": ~[500, 0]~}, )J" LINE, "/rods/arm/natural/curvature", "less than pi"},
      {rod, R"J("natural": {"stretch": ~"=1 - 2*u"~}, )J" LINE, "/rods/arm/natural/stretch", "at edge 20"},
      {rod, R"J("natural": {"twist": ~"=1/(s - 0.5)"~}, )J" LINE, "/rods/arm/natural/twist", "no finite number"},
      {rod, R"J("natural": {"twist": "=~t~"}, )J" LINE, "/rods/arm/natural/twist", "t is not known here"},
      // ---- selectors
      {more, R"J("constraints": [{"fix": ~"amr:last"~}])J", "/constraints/0/fix", "did you mean \"arm\""},
      {more, R"J("constraints": [{"fix": ~"arm:11"~}])J", "/constraints/0/fix", "nodes 0 to 10"},
      {more, R"J("constraints": [{"fix": ~"arm:-12"~}])J", "/constraints/0/fix", "no node -12"},
      {more, R"J("constraints": [{"fixTwist": ~"arm:10"~}])J", "/constraints/0/fixTwist", "edges 0 to 9"},
      {more, R"J("constraints": [{"fix": ~"arm:5..2"~}])J", "/constraints/0/fix", "ends before it begins"},
      {more, R"J("constraints": [{"fix": ~"arm:frist"~}])J", "/constraints/0/fix", "frist"},
      {more, R"J("constraints": [{"fix": ~"arm:tip"~}])J", "/constraints/0/fix", "tip"},
      {more, R"J("constraints": [{"fix": ~"arm/limb:tip"~}])J", "/constraints/0/fix", "is on a linkage"},
      {more, R"J("constraints": [{"fix": ~"tail*"~}])J", "/constraints/0/fix", "matches no rod"},
      {more, R"J("constraints": [{"fix": ~"arm@[0,0]"~}])J", "/constraints/0/fix", "@"},
      {more, R"J("constraints": [{"fix": ~""~}])J", "/constraints/0/fix", ""},
      {more, R"J("constraints": [{"fix": {"of": "arm", "where": ~"x > 2"~}}])J", "/constraints/0/fix/where",
       "no node satisfies"},
      {more, R"J("constraints": [{"fix": {"of": "arm", "where": "x > ~w~"}}])J", "/constraints/0/fix/where", "w"},
      {more, R"J("constraints": [{"fix": {"of": "arm", "where": ~"1/(x - 0.5)"~}}])J", "/constraints/0/fix/where",
       "no finite number"},
      {more, R"J("constraints": [{"repeat": {"k": 3}, "fix": ~"leg{k}:0"~}])J", "/constraints/0/fix", "with k = 2"},
      // ---- joints
      {more, R"J("joints": [{"weld": ~["arm:first", "leg1:first"]~}])J", "/joints/0/weld", "1 m apart"},
      {more, R"J("joints": [{"weld": ~["arm:first", "arm:0"]~}])J", "/joints/0/weld", "twice"},
      {more, R"J("joints": [{"weld": ~["arm:first"]~}])J", "/joints/0/weld", "at least two"},
      {more, R"J("joints": [{"weld": ["arm:first", "leg0:first"]}, {"pin": ~["leg0:first", "arm:first"]~}])J",
       "/joints/1/pin", "in a weld and in a pin"},
      {more, R"J("joints": [{~"wedl"~: ["arm:first", "leg0:first"]}])J", "/joints/0/wedl", "weld"},
      // ---- constraints
      {more, R"J("constraints": [{"fix": "arm:0", "axes": ~"xw"~}])J", "/constraints/0/axes", "x"},
      {more, R"J("constraints": [{"fix": "arm:0", "axes": ~"xx"~}])J", "/constraints/0/axes", "x"},
      {more, R"J("constraints": [{"planar": ~"xx"~}])J", "/constraints/0/planar", "xz"},
      {more, R"J("constraints": [~{~"move": "arm:0"}])J", "/constraints/0", "displacement"},
      {more, R"J("constraints": [~{~"turn": "arm:0"}])J", "/constraints/0", "angle"},
      {more, R"J("constraints": [{"clamp": "arm:0", "rotation": {"axis": ~[0,0,0]~, "angle": 1}}])J",
       "/constraints/0/rotation/axis", "length 0"},
      {more, R"J("constraints": [{"fix": "arm:0", "from": 2, "until": ~1~}])J", "/constraints/0/until", "not after"},
      {more, R"J("constraints": [{"fix": "arm:0", "before": ~"free"~}])J", "/constraints/0/before", "needs \"from\""},
      {more, R"J("constraints": [{"fix": "arm:0", "then": ~"release"~}])J", "/constraints/0/then", "needs \"until\""},
      {more, R"J("constraints": [{"fix": "arm:0", "from": "=~t~"}])J", "/constraints/0/from", "t is not known here"},
      {more, R"J("constraints": [{"move": "arm:0", "displacement": [0, 0, "=sin(~~"]}])J",
       "/constraints/0/displacement/2", "ends where a value is expected"},
      // ---- loads
      {more, R"J("loads": [{"force": ~[0, 1]~, "at": "arm:last"}])J", "/loads/0/force", "3 numbers"},
      {more, R"J("loads": [~{~"force": [0, 0, 1]}])J", "/loads/0", "at"},
      {more, R"J("loads": [{"line": [0, 0, 1], "on": ~"arm:last"~}])J", "/loads/0/on", "no whole edge"},
      {more, R"J("loads": [{"mass": ~-1~, "at": "arm:last"}])J", "/loads/0/mass", "at least 0"},
      {more, R"J("loads": [{"pressure": 1, "on": ~"arm"~}])J", "/loads/0/on", "\"arm\" is a rod"},
      {more, R"J("loads": [{"force": [0, 0, "=~foo~*2"], "at": "arm:last"}])J", "/loads/0/force/2", "foo"},
      {more, R"J("loads": [{"force": [0, 0, ~"=log(-1)"~], "at": "arm:last"}])J", "/loads/0/force/2",
       "no finite number"},
      // ---- environment
      {more, R"J("environment": {"gravity": ~-9.81~})J", "/environment/gravity", "3 numbers"},
      {more, R"J("environment": {"viscous": ~"=0-2"~})J", "/environment/viscous", "at least 0"},
      {more, R"J("environment": {~"buoyancy"~: true})J", "/environment/buoyancy", "fluid"},
      // ---- actuation
      {more, R"J("actuation": [{"rod": "arm", "curvature": ~[1]~}])J", "/actuation/0/curvature", "2 numbers"},
      {more, R"J("actuation": [{"rod": ~"arn"~, "twist": 1}])J", "/actuation/0/rod", "did you mean \"arm\""},
      {more, R"J("actuation": [{"rod": "arm", "stretch": ~0~}])J", "/actuation/0/stretch", "greater than 0"},
      {more, R"J("actuation": [{"rod": "arm", "table": {"time": [0, 1], "curvature1": [1, ~[1, 2]~]}}])J",
       "/actuation/0/table/curvature1/1", "9 (one per interior node)"},
      {more, R"J("actuation": [{"rod": "arm", "table": {"time": [0, ~0~], "curvature1": [1, 2]}}])J",
       "/actuation/0/table/time/1", "increasing"},
      {more, R"J("actuation": [{"rod": "arm", "table": {"time": [0, 1], "twist": ~[1]~}}])J",
       "/actuation/0/table/twist", "one row per time"},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"1,2\n3,4"~}])J", "/actuation/0/csv", "expected a header"},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"t,twist\n0,1\n1,x"~}])J", "/actuation/0/csv",
       "line 3: \"x\" is not a finite number"},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"t,twist\n0,1,2"~}])J", "/actuation/0/csv",
       "3 columns; expected 2"},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"t,curvature1[0],curvature1[1]\n0,1,2"~}])J", "/actuation/0/csv",
       "2 values for curvature1"},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"t,k\n0,1"~}])J", "/actuation/0/csv",
       "line 1: unknown column \"k\""},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"t,curvature\n0,1"~}])J", "/actuation/0/csv",
       "did you mean \"curvature1\"?; where each spring has a column, with its number: curvature1[0]"},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"t,stretched\n0,1"~}])J", "/actuation/0/csv",
       "unknown column \"stretched\""},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"twist,time\n0,1"~}])J", "/actuation/0/csv",
       "the first column is \"twist\"; expected \"time\""},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"t,twist,twist\n0,1,2"~}])J", "/actuation/0/csv",
       "expected twist once, or twist[0], twist[1]"},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"t,twist[1],twist[0]\n0,1,2"~}])J", "/actuation/0/csv",
       "\"twist[1]\" is not the one that follows here"},
      {more, R"J("actuation": [{"rod": "arm", "csv": ~"t,twist\n"~}])J", "/actuation/0/csv", "no rows"},
      // ---- states, initial
      {more, R"J("states": {"I": {"rate": "=~tip.z~"}})J", "/states/I/rate", "unknown name"},
      {more, R"J("solver": {"mode": "static"}, "states": {~"I"~: {"rate": 1}})J", "/states/I", "static"},
      {more, R"J("states": {~"a"~: {"rate": 1}}, "probes": {"a": {"speed": "arm"}})J", "/states/a", "name of a probe"},
      {more, R"J("states": {~"s"~: {"rate": 1}})J", "/states/s", "reserved"},
      {more, R"J("states": {"I": {"rate": 1, "unit": ~" "~}})J", "/states/I/unit", "\"unit\" is empty"},
      {more, R"J("initial": [~{~"of": "arm"}])J", "/initial/0", "velocity"},
      {more, R"J("initial": [{"spin": 1, "of": ~"arm:3"~}])J", "/initial/0/of", "no whole edge"},
      {more, R"J("initial": [{"velocity": ["=~t~", 0, 0], "of": "arm"}])J", "/initial/0/velocity/0",
       "t is not known here"},
      // ---- solver
      {more, R"J("solver": {"mode": ~"statik"~})J", "/solver/mode", "did you mean \"static\""},
      {more, R"J("solver": {"integrator": ~"implicit-eular"~})J", "/solver/integrator",
       "did you mean \"implicit-euler\""},
      {more, R"J("solver": {"rho": ~2~})J", "/solver/rho", "from 0 to 1"},
      {more, R"J("solver": {"dt": ~0~})J", "/solver/dt", "greater than 0"},
      {more, R"J("solver": {"dt": ~"=-1"~})J", "/solver/dt", "greater than 0"},
      {more, R"J("solver": {"iterations": ~0~})J", "/solver/iterations", "integer"},
      {more, R"J("solver": {"tolerance": ~"=2"~})J", "/solver/tolerance", "1"},
      {more, R"J("solver": {"adaptive": ~{"min": 1, "max": 0.1}~})J", "/solver/adaptive", "below the smallest"},
      {more, R"J("solver": {~"with"~: [{"force": [0,0,1], "at": "arm:last"}]})J", "/solver/with", "start"},
      {more, R"J("solver": {"start": "equilibrium", "with": [{"force": [0,0,1], "at": ~"nose"~}]})J",
       "/solver/with/0/at", "unknown rod"},
      // ---- probes
      {more, R"J("probes": {"a": {"formula": ~"b"~}, "b": {"formula": "a + 1"}})J", "/probes/a/formula", "a -> b -> a"},
      {more, R"J("probes": {"a": {"formula": ~"a"~}})J", "/probes/a/formula", "a -> a"},
      {more, R"J("probes": {"a": {"position": "arm", "label": ~""~}})J", "/probes/a/label", "\"label\" is empty"},
      {more, R"J("probes": {~"1a"~: {"position": "arm"}})J", "/probes/1a", "1a"},
      {more, R"J("probes": {~"t"~: {"position": "arm"}})J", "/probes/t", "reserved"},
      {more, R"J("probes": {"a": {~"postion"~: "arm"}})J", "/probes/a/postion", "position"},
      {more, R"J("probes": {"a": {"energy": ~"totl"~}})J", "/probes/a/energy", "total"},
      {more, R"J("probes": {"a": {"energy": "total", "of": ~"leg9"~}})J", "/probes/a/of",
       "unknown body \"leg9\"; did you mean"},
      {more, R"J("probes": {"a": {"length": ~"arm:0"~}})J", "/probes/a/length", "no whole edge"},
      {more, R"J("probes": {"a": {"distance": ~["arm:0"]~}})J", "/probes/a/distance", "two"},
      {more, R"J("probes": {"a": {"position": "arm", "reduce": ~"media"~}})J", "/probes/a/reduce", "mean"},
      {more, R"J("probes": {"a": {"jointAngle": ~"arm"~}})J", "/probes/a/jointAngle",
       "unknown linkage \"arm\"; the scene has none"},
      // ---- checks
      {more, R"J("checks": [~{~"at": "end"}])J", "/checks/0", "expect"},
      {more, R"J("checks": [{"at": ~"End"~, "expect": "1"}])J", "/checks/0/at", "end"},
      {more, R"J("checks": [{"at": ~11~, "expect": "1"}])J", "/checks/0/at", "the run ends at 10 s"},
      {more, R"J("checks": [{"at": ~-1~, "expect": "1"}])J", "/checks/0/at", "0"},
      {more, R"J("checks": [{"at": "end", "during": ~[0, 1]~, "expect": "1"}])J", "/checks/0/during", "always"},
      {more, R"J("checks": [{"at": "ever", "during": ~[2, 1]~, "expect": "1"}])J", "/checks/0/during", "t0 before t1"},
      {more, R"J("checks": [{"at": "always", "during": ~[11, 12]~, "expect": "1"}])J", "/checks/0/during",
       "the run ends at 10 s"},
      {more, R"J("checks": [{"at": "ever", "during": ~[-2, -1]~, "expect": "1"}])J", "/checks/0/during",
       "the run begins at 0 s"},
      {more, R"J("checks": [{"at": "end", "expect": "~tpi.x~ > 0"}], "probes": {"tip": {"position": "arm:last"}})J",
       "/checks/0/expect", "tip.x"},
      {more, R"J("parameters": {"youngs": 1}, "checks": [{"at": "end", "expect": "1", "with": {~"young"~: 2}}])J",
       "/checks/0/with/young", "did you mean \"youngs\""},
      {more, R"J("checks": [{"at": "end", "expect": "1 +~~"}])J", "/checks/0/expect", "ends where a value is expected"},
      // ---- repeat, look, view
      {more, R"J("loads": [{"repeat": {"k": ~1e9~}, "force": [0,0,1], "at": "arm:last"}])J", "/loads/0/repeat/k",
       "200000"},
      {more, R"J("loads": [{"repeat": {"k": ~-1~}, "force": [0,0,1], "at": "arm:last"}])J", "/loads/0/repeat/k",
       "integer from 0"},
      {rod, R"J("look": {"opacity": ~2~}, )J" LINE, "/rods/arm/look/opacity", "1"},
      {more, R"J("view": {"sped": 1, ~"seed"~: 2})J", "/view/seed", "speed"},
      {more, R"J("parameters": {"youngs": 1}, "view": {"try": {"Make it softer": {~"young"~: 2}}})J",
       "/view/try/Make it softer/young", "did you mean \"youngs\""},
      {more, R"J("view": {"try": {"Make it softer": ~2~}})J", "/view/try/Make it softer", "expected an object"},
  };
  return table;
}

TEST(BadInput, TheTableIsLong) { EXPECT_GE(rows().size(), 120u); }

TEST(BadInput, EveryRowIsRefusedAtItsPlaceAndInItsWords) {
  for (const Row& row : rows()) expectRefused(row);
}

TEST(BadInput, EveryProblemHasALineAColumnAndWords) {
  for (const Row& row : rows()) {
    const Marked scene = marked(row);
    std::size_t before = 0;
    for (const Problem& problem : problemsOf(scene.text)) {
      ASSERT_LE(problem.from, problem.to) << row.text;
      ASSERT_LE(problem.to, scene.text.size()) << row.text;
      const std::string head = scene.text.substr(0, problem.from);
      EXPECT_EQ(problem.line, 1 + std::count(head.begin(), head.end(), '\n')) << row.text;
      EXPECT_EQ(problem.column, int(problem.from - (head.rfind('\n') + 1)) + 1) << row.text;
      EXPECT_FALSE(problem.message.empty()) << row.text;
      EXPECT_GE(problem.from, before) << "not in order: " << row.text;
      before = problem.from;
    }
  }
}

TEST(BadInput, AllProblemsAreListedAtOnce) {
  const Problems problems = problemsOf(sceneText(R"J("constraints": [{"fix": "amr"}, {"clamp": "arm:99"}],
    "loads": [{"force": [0, 0, "=foo"], "at": "nose"}], "solver": {"dt": "=-1"}, "checks": [{"expect": "bar > 1"}])J"));
  EXPECT_EQ(problems.size(), 6u) << listed(problems);
}

TEST(BadInput, FaultsOfStructureDoNotHideTheOthers) {
  const Problems problems =
      problemsOf(sceneText(R"J("constraints": [{"fix": "amr"}, {"clamp": "arm:99", "until": 3, "thn": "release"}],
    "loads": [{"force": [0, 0, "=foo"], "att": "nose"}, {"force": [0, 0, 1], "at": "nose"}])J"));
  // Of the second constraint and the first load only the unknown keys are said.
  std::string pointers;
  for (const Problem& problem : problems) pointers += problem.pointer + " ";
  EXPECT_EQ(pointers, "/constraints/0/fix /constraints/1/thn /loads/0/att /loads/1/at ") << listed(problems);
}

TEST(BadInput, PlacesInLongLinesCountCodePointsAndUtf16Units) {
  std::string comment = "/* ";
  for (int i = 0; i < 500; ++i) comment += "\xC3\xA9\xF0\x9D\x84\x9E";  // e acute (1 unit), a G clef (2 units)
  comment += " */";
  const Problems problems = problemsOf("{\n" + comment + "\"foo\": 1, \"format\": \"tendril/1\"}");
  ASSERT_FALSE(problems.empty());
  const auto foo = std::find_if(problems.begin(), problems.end(), [](const Problem& p) { return p.pointer == "/foo"; });
  ASSERT_NE(foo, problems.end()) << listed(problems);
  EXPECT_EQ(foo->line, 2);
  EXPECT_EQ(foo->column, 1 + 3 + 1000 + 3);
  EXPECT_EQ(foo->from, 2u + 3 + 1500 + 3);
  EXPECT_EQ(foo->to, foo->from + 5);
}

TEST(BadInput, ManyFormulasOnOneLineLoadFast) {
  std::string loads;
  for (int i = 0; i < 20000; ++i)
    loads += std::string(i ? ", " : "") + R"J({"force": [0, 0, "=sin(t)"], "at": "arm:last"})J";
  const Scene scene =
      loaded(sceneText("\"loads\": [" + loads + "]"));  // minutes, where places are counted from the start
  EXPECT_EQ(scene.loads.size(), 20000u);
}

TEST(BadInput, TheSameFaultInEveryCopyIsSaidAFewTimes) {
  const Problems problems =
      problemsOf(sceneText(R"J("loads": [{"repeat": {"k": 50000}, "force": [0, 0, 1], "at": "nose{k}"}])J"));
  EXPECT_GE(problems.size(), 1u);
  EXPECT_LE(problems.size(), 10u);
}

TEST(BadInput, TooManyNodesAreRefusedBeforeTheyFillTheMemory) {
  const Problems problems = problemsOf(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}},
    "rods": {"r{k}": {"repeat": {"k": 40}, "segments": 200000, "section": {"circle": {"radius": 1}},
                      "path": {"line": {"from": [0, 0, "=k"], "to": [1, 0, "=k"]}}}}})J");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("2000000 nodes"), std::string::npos) << listed(problems);
}

TEST(BadInput, DeepAndBrokenTextsEnd) {
  EXPECT_FALSE(problemsOf(std::string(20000, '[')).empty());
  EXPECT_FALSE(problemsOf(std::string(20000, '{')).empty());
  EXPECT_FALSE(problemsOf(std::string("\xff\xfe\x00{", 4)).empty());
  const std::string good =
      sceneText(R"J("probes": {"tip": {"position": "arm:last"}}, "checks": [{"expect": "tip.x > 0"}])J");
  EXPECT_TRUE(problemsOf(good).empty());
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(problemsOf(good.substr(0, length)).empty()) << length;
}

TEST(BadInput, MutatedScenesNeverThrow) {
  const std::string good = sceneText(R"J("parameters": {"E": {"value": 1e6, "min": 1, "max": 1e9}, "F": "=2*E"},
    "joints": [{"weld": ["arm:first", "leg0:first"]}], "constraints": [{"clamp": "arm:last", "rotation": {"axis": [0,0,1], "angle": "=t"}}],
    "loads": [{"repeat": {"k": 2}, "force": [0, 0, "=F*k"], "at": "leg{k}:last"}], "environment": {"gravity": [0, 0, -9.81]},
    "actuation": [{"rod": "arm", "csv": "t,curvature1\n0,1\n1,2"}], "states": {"I": {"rate": "=tip.z"}}, "solver": {"dt": 0.01},
    "probes": {"tip": {"position": "arm:last"}, "f": {"formula": "tip.x + I"}}, "checks": [{"at": "end", "expect": "f < 1"}])J");
  EXPECT_TRUE(problemsOf(good).empty()) << listed(problemsOf(good));
  std::uint64_t seed = 1;
  const auto next = [&seed](std::size_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return std::size_t(seed >> 33) % n;
  };
  const std::string alphabet = "{}[]\",:=0123456789.-+eE*/()ktxarm_<>~\\\n \x80\xc3";
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (std::size_t edit = 0; edit <= next(3); ++edit) {
      const std::size_t at = next(text.size());
      const std::size_t kind = next(4);
      if (kind == 0)
        text[at] = alphabet[next(alphabet.size())];
      else if (kind == 1)
        text.erase(at, 1 + next(8));
      else if (kind == 2)
        text.insert(at, 1, alphabet[next(alphabet.size())]);
      else
        text.insert(at, text.substr(next(text.size()), 1 + next(30)));
    }
    ASSERT_NO_THROW(loadScene(text)) << text;
  }
}

}  // namespace bad_input_test
}  // namespace tendril::scene
