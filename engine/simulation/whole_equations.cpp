#include "simulation/whole_equations.h"

#include "linear/blocks_of.h"

namespace tendril {
namespace {

template <class T>
void add(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

WholeEquations wholeEquations(SideBySide& side) {
  WholeEquations out;
  std::vector<model::Equations> each;
  for (const SideBySide::Part& part : side.parts()) {
    each.emplace_back();
    part.model->equations(each.back());
  }
  int n = 0, r = 0, inputs = 0;
  for (const model::Equations& e : each) n += e.size(), r += e.freedoms(), inputs += static_cast<int>(e.inputs.size());
  model::Equations& all = out.all;
  all.mass.resize(n, n), all.damping.resize(n, n), all.stiffness.resize(n, n);
  all.motions.resize(n, r), all.actuation.resize(n, inputs);
  all.reach.resize(n), all.values.resize(n), all.rates.resize(n), all.accelerations.resize(n), all.forces.resize(n);
  int row = 0, column = 0, input = 0;
  for (const model::Equations& e : each) {
    const int size = e.size();
    out.first.push_back(row), out.firstInput.push_back(input);
    add(all.names, e.names), add(all.units, e.units), add(all.motionNames, e.motionNames);
    add(all.massless, e.massless), add(all.inputs, e.inputs), add(all.used, e.used);
    add(all.omitted, e.omitted);
    all.potential = all.potential && e.potential;
    all.reach.segment(row, size) = e.reach, all.values.segment(row, size) = e.values;
    all.rates.segment(row, size) = e.rates;
    all.accelerations.segment(row, size) = e.accelerations, all.forces.segment(row, size) = e.forces;
    all.mass += linear::placed(e.mass, n, n, row, row), all.damping += linear::placed(e.damping, n, n, row, row);
    all.stiffness += linear::placed(e.stiffness, n, n, row, row);
    all.motions += linear::placed(e.motions, n, r, row, column);
    all.actuation += linear::placed(e.actuation, n, inputs, row, input);
    row += size, column += e.freedoms(), input += static_cast<int>(e.inputs.size());
  }
  out.first.push_back(n), out.firstInput.push_back(inputs);
  return out;
}

}  // namespace tendril
