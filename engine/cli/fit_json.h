// fit.json: what a fit found, and from what a later call goes on.
#pragma once

#include <string>
#include <vector>

#include "fit/fit.h"

namespace tendril::cli {

/// A fit with what its files say beside its numbers.
struct FitRecord {
  std::string planName, fingerprint;  ///< of the plan, its scene and its data
  std::string command;                ///< that repeats it
  const fit::Plan* plan = nullptr;
  const fit::FitResult* result = nullptr;
  long runs = 0;
  double seconds = 0;

  const char* status() const;  ///< "done", "stopped", "gave up" or "limits not kept"
  bool keepsLimits() const;    ///< the best start keeps all limits of an objective
  long numbers() const;        ///< that were fitted to
  long degrees() const;        ///< of freedom: numbers and priors, less unknowns
  double chiSquared() const;   ///< twice the cost of the best
};

/// Root of the mean square of the residuals in a column, of those that were fitted to or those held back; NaN: none.
double columnError(const FitRecord& record, std::size_t experiment, std::size_t column, bool held);

/// The unknowns that the data do not tell.
std::vector<std::string> untold(const FitRecord& record);

/// "0.94 K - 0.33 C" in shares of their ranges.
std::string combinationText(const fit::Plan& plan, const fit::Direction& direction);

std::string fitJson(const FitRecord& record);

/// The starts of an earlier call. Throws FileError where the text is not of this plan with this fingerprint.
std::vector<fit::StartResult> startsIn(const std::string& text, const std::string& file, const std::string& fingerprint,
                                       std::size_t unknowns);

}  // namespace tendril::cli
