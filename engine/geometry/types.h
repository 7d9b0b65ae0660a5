// Fixed-size vectors and matrices shared by the whole engine. Eigen/Core only: decompositions stay in the .cpp files
// that need them.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>

namespace tendril {

template <int N>
using Vec = Eigen::Matrix<double, N, 1>;
template <int R, int C = R>
using Mat = Eigen::Matrix<double, R, C>;

using Vec2 = Vec<2>;
using Vec3 = Vec<3>;
using Mat3 = Mat<3>;
using VectorX = Eigen::VectorXd;
using VectorRef = Eigen::Ref<Eigen::VectorXd>;
using ConstVectorRef = const Eigen::Ref<const Eigen::VectorXd>&;

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace tendril
