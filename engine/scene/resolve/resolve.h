// The first two passes over a scene document: parameters and series, then `repeat` and `defaults` resolved, then the
// structure checked against the key table. The result has the right keys and JSON types everywhere.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "formula/formula.h"
#include "scene/scene.h"
#include "text/document.h"

namespace tendril::scene {

struct ResolvedScene {
  text::Value root;                      ///< `repeat` and `defaults` resolved, keys and JSON types checked
  std::vector<Parameter> parameters;     ///< evaluated, overrides applied; `live` is filled in by the loader
  std::vector<double> values;            ///< one per parameter
  std::vector<formula::Number> derived;  ///< one per parameter: its formula (constant where it has none)
  std::vector<int> parameterOrder;       ///< an order in which every parameter follows those that its formula reads
  std::vector<bool> structural;          ///< one per parameter: `repeat` reads it, so a change restarts the run
  formula::Scope scope;                  ///< parameters and series; the loader adds probe columns and states
};

/// Adds to `problems`; the result is usable only where it stayed empty. `overrides`: an unknown name is a problem.
ResolvedScene resolveScene(const text::Document& document, const std::map<std::string, double>& overrides,
                           Problems& problems);

/// "the parameter k has no finite value: ...", for a derived one.
std::string noFiniteParameter(const std::string& name, const std::string& formula);
/// "the parameter k cannot be set to nan: ...".
std::string notToBeSet(const std::string& name, double value);

}  // namespace tendril::scene
