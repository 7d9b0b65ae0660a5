// What a linkage says of itself: names of what moves, moves too fast, is out of all scale or crushed, and of loops.
#pragma once

#include <string>

#include "links/state.h"

namespace tendril::links {

/// "arm/limb" in quotes.
std::string nameOf(const scene::Scene& scene, const BuiltLink& built);
/// "the loop from ... to ...", and the same of a linkage.
std::string inWords(const scene::Linkage& linkage, const scene::LinkLoop& loop);
std::string inWords(const State& state, const ClosureRow& row);
/// In meters or millimeters [m].
std::string lengthInWords(double meters);

/// Names what moves in a motion of the coordinates: a joint, if one takes part.
std::string whatMoves(const State& state, const VectorX& motion);
/// Names what moves most in a motion that `tangent` does not resist; or empty.
std::string looseIn(const State& state, const Eigen::MatrixXd& tangent);
/// The same of the tangent of statics at the accepted state.
std::string looseJoint(const State& state);

/// How a state was reached.
enum class Advance { step, loadStep, damped };

/// Within a step of motion a joint turns by no more [rad]. Beyond, schemes gain energy out of nothing.
constexpr double longestTurn = 0.5;

/// What turned or bent too far from the accepted state to q, or empty.
std::string tooFast(const State& state, const VectorX& q, Advance advance);
/// That a joint of several rotations would be driven farther from the accepted state to `end` than its coordinates
/// tell; or empty.
std::string turnsPast(const State& state, const scene::Instant& end);
/// Whether this coordinate counts from the accepted state, so that its number says nothing.
bool countsAnew(const State& state, int coordinate);
/// Names a coordinate in q that is out of all scale; or empty.
std::string outOfScale(const State& state, const VectorX& q);
/// Names a soft link that is pressed together to a small part of its length somewhere; or empty.
std::string crushed(const State& state, const VectorX& q);

}  // namespace tendril::links
