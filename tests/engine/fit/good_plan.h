// Plans of tests that must be right.
#pragma once

#include <gtest/gtest.h>

#include <variant>

#include "fit/plan.h"
#include "tendril/problem.h"

namespace tendril::test {

/// What was read; empty, and a failure, where it has problems.
inline fit::Plan goodPlan(const std::variant<fit::Plan, Problems>& plan) {
  if (const auto* problems = std::get_if<Problems>(&plan)) {
    ADD_FAILURE() << describe(problems->front(), "plan");
    return {};
  }
  return std::get<fit::Plan>(plan);
}

}  // namespace tendril::test
