// The inner loops of the supernodal LDL^T on dense columns: products subtracted into scattered columns, elimination
// within a few columns, and the two triangular solves. Wider registers are used where the processor has them; every sum
// is taken in the same order at every width, so that results do not depend on the machine.
#pragma once

#include <cstddef>

namespace tendril::solve {

inline constexpr int tileColumns = 6;    // columns of a target that are updated together
inline constexpr int kernelOverrun = 8;  // doubles past the end of a column that kernels may read but do not use

/// A panel: `height` x `width`, stored by columns that begin `stride` doubles apart.
struct DensePanel {
  double* at;
  std::ptrdiff_t stride;
  int width, height;
};

struct DenseKernels {
  /// column[c][into[r]] -= sum_t source(r, t) scaled[tileColumns t + c] for r in [0, height), c in [0, columns), t in
  /// [0, inner). `into` ascends. columns <= tileColumns.
  void (*subtractProduct)(const double* source, std::ptrdiff_t stride, int inner, int height, const double* scaled,
                          int columns, double* const* column, const int* into);

  /// Rows [begin, height) of `columns` adjacent columns, the first at `at`: column c -= sum_(b < c) l[tileColumns c +
  /// b] column b. columns <= tileColumns.
  void (*finishRows)(double* at, std::ptrdiff_t stride, int columns, int begin, int height, const double* l);

  /// sum[i] += sum_c panel(i, c) factor[c] for rows i in [begin, height).
  void (*addColumns)(const DensePanel& panel, int begin, const double* factor, double* sum);

  /// dot[c] = sum_i panel(i, c) x[i] for rows i in [begin, height).
  void (*dotColumns)(const DensePanel& panel, int begin, const double* x, double* dot);
};

/// The kernels for this processor.
const DenseKernels& denseKernels();

/// The kernels for any processor of this architecture: the same results to the last bit, but slower.
const DenseKernels& plainDenseKernels();

}  // namespace tendril::solve
