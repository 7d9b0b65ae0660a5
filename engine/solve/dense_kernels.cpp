// Each kernel is written once for vectors of any length and compiled for each length by inlining it into a function of
// that target. Lanes are never summed, except in dot products, which keep four partial sums at every width.
#include "solve/dense_kernels.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "solve/pack.h"
#include "solve/wide.h"

namespace tendril::solve {
namespace {

template <int Lanes>
struct Kernels {
  using Wide = typename WideOf<Lanes>::Type;

  [[gnu::always_inline]] static inline void subtract(double* from, const Wide& wide) {
    Wide old;
    loadWide(old, from);
    old -= wide;
    storeWide(from, old);
  }

  /// Parts x Lanes rows by Columns columns of the product, in registers, then subtracted from the target.
  template <int Parts, int Columns>
  [[gnu::always_inline]] static inline void tile(const double* source, std::ptrdiff_t stride, int inner,
                                                 const double* scaled, int rows, double* const* column,
                                                 const int* into) {
    Wide sum[Columns][Parts];
    for (int c = 0; c < Columns; ++c)
      for (int p = 0; p < Parts; ++p) sum[c][p] = Wide{};
    for (int t = 0; t < inner; ++t, source += stride, scaled += tileColumns) {
      Wide part[Parts];
      for (int p = 0; p < Parts; ++p) loadWide(part[p], source + p * Lanes);
      for (int c = 0; c < Columns; ++c)
        for (int p = 0; p < Parts; ++p) sum[c][p] += part[p] * scaled[c];
    }
    constexpr int all = Parts * Lanes;
    if (rows >= all && into[all - 1] - into[0] == all - 1) {
      for (int c = 0; c < Columns; ++c)
        for (int p = 0; p < Parts; ++p) subtract(column[c] + into[0] + p * Lanes, sum[c][p]);
      return;
    }
    double entry[all];
    const int used = std::min(rows, all);
    for (int c = 0; c < Columns; ++c) {
      std::memcpy(entry, sum[c], sizeof entry);
      for (int i = 0; i < used; ++i) column[c][into[i]] -= entry[i];
    }
  }

  /// Rows and columns kept in registers at a time: the fastest choice, natively and in WebAssembly.
  static constexpr int parts = Lanes == 1 ? 4 : 2;
  static constexpr int together = Lanes == 4 ? 6 : Lanes == 2 ? 3 : 2;

  template <int Columns>
  [[gnu::always_inline]] static inline void product(const double* source, std::ptrdiff_t stride, int inner, int height,
                                                    const double* scaled, double* const* column, const int* into) {
    constexpr int now = Columns < together ? Columns : together;
    int r = 0;
    for (; r + (parts - 1) * Lanes < height; r += parts * Lanes)
      tile<parts, now>(source + r, stride, inner, scaled, height - r, column, into + r);
    for (; r < height; r += Lanes) tile<1, now>(source + r, stride, inner, scaled, height - r, column, into + r);
    if constexpr (Columns > now)
      product<Columns - now>(source, stride, inner, height, scaled + now, column + now, into);
  }

  [[gnu::always_inline]] static inline void subtractProduct(const double* source, std::ptrdiff_t stride, int inner,
                                                            int height, const double* scaled, int columns,
                                                            double* const* column, const int* into) {
    switch (columns) {
      case 1:
        return product<1>(source, stride, inner, height, scaled, column, into);
      case 2:
        return product<2>(source, stride, inner, height, scaled, column, into);
      case 3:
        return product<3>(source, stride, inner, height, scaled, column, into);
      case 4:
        return product<4>(source, stride, inner, height, scaled, column, into);
      case 5:
        return product<5>(source, stride, inner, height, scaled, column, into);
      default:
        return product<6>(source, stride, inner, height, scaled, column, into);
    }
  }

  /// x -= sum_b l[b] earlier[b], written out so that all stays in registers.
  template <int... B>
  [[gnu::always_inline]] static inline void subtractEarlier(Wide& x, [[maybe_unused]] const Wide* earlier,
                                                            [[maybe_unused]] const double* l,
                                                            std::integer_sequence<int, B...>) {
    ((x -= earlier[B] * l[B]), ...);
  }
  template <int Columns, int... C>
  [[gnu::always_inline]] static inline void finishPart(double* at, std::ptrdiff_t stride, const double* l,
                                                       std::integer_sequence<int, C...>) {
    Wide x[Columns];
    (loadWide(x[C], at + C * stride), ...);
    (subtractEarlier(x[C], x, l + tileColumns * C, std::make_integer_sequence<int, C>{}), ...);
    (storeWide(at + C * stride, x[C]), ...);
  }

  template <int Columns>
  [[gnu::always_inline]] static inline void finish(double* at, std::ptrdiff_t stride, int begin, int height,
                                                   const double* l) {
    int i = begin;
    for (; i + Lanes <= height; i += Lanes)
      finishPart<Columns>(at + i, stride, l, std::make_integer_sequence<int, Columns>{});
    for (; i < height; ++i)
      for (int c = 0; c < Columns; ++c)
        for (int b = 0; b < c; ++b) at[c * stride + i] -= at[b * stride + i] * l[tileColumns * c + b];
  }

  [[gnu::always_inline]] static inline void finishRows(double* at, std::ptrdiff_t stride, int columns, int begin,
                                                       int height, const double* l) {
    switch (columns) {
      case 1:
        return;
      case 2:
        return finish<2>(at, stride, begin, height, l);
      case 3:
        return finish<3>(at, stride, begin, height, l);
      case 4:
        return finish<4>(at, stride, begin, height, l);
      case 5:
        return finish<5>(at, stride, begin, height, l);
      default:
        return finish<6>(at, stride, begin, height, l);
    }
  }

  template <int Columns>
  [[gnu::always_inline]] static inline void addSome(const double* at, std::ptrdiff_t stride, int begin, int height,
                                                    const double* factor, double* sum) {
    int i = begin;
    for (; i + Lanes <= height; i += Lanes) {
      Wide total, part;
      loadWide(total, sum + i);
      for (int c = 0; c < Columns; ++c) {
        loadWide(part, at + c * stride + i);
        total += part * factor[c];
      }
      storeWide(sum + i, total);
    }
    for (; i < height; ++i)
      for (int c = 0; c < Columns; ++c) sum[i] += at[c * stride + i] * factor[c];
  }

  [[gnu::always_inline]] static inline void addColumns(const DensePanel& panel, int begin, const double* factor,
                                                       double* sum) {
    int c = 0;
    for (; c + 4 <= panel.width; c += 4)
      addSome<4>(panel.at + c * panel.stride, panel.stride, begin, panel.height, factor + c, sum);
    for (; c < panel.width; ++c)
      addSome<1>(panel.at + c * panel.stride, panel.stride, begin, panel.height, factor + c, sum);
  }

  template <int Columns>
  [[gnu::always_inline]] static inline void dotSome(const double* at, std::ptrdiff_t stride, int begin, int height,
                                                    const double* x, double* dot) {
    constexpr int partial = 4, parts = partial / Lanes;
    Wide sum[Columns][parts];
    for (int c = 0; c < Columns; ++c)
      for (int p = 0; p < parts; ++p) sum[c][p] = Wide{};
    int i = begin;
    for (; i + partial <= height; i += partial)
      for (int p = 0; p < parts; ++p) {
        Wide own, part;
        loadWide(own, x + i + p * Lanes);
        for (int c = 0; c < Columns; ++c) {
          loadWide(part, at + c * stride + i + p * Lanes);
          sum[c][p] += part * own;
        }
      }
    for (int c = 0; c < Columns; ++c) {
      double lane[partial];
      std::memcpy(lane, sum[c], sizeof lane);
      for (int k = i; k < height; ++k) lane[k - i] += at[c * stride + k] * x[k];
      dot[c] = (lane[0] + lane[1]) + (lane[2] + lane[3]);
    }
  }

  [[gnu::always_inline]] static inline void dotColumns(const DensePanel& panel, int begin, const double* x,
                                                       double* dot) {
    int c = 0;
    for (; c + 4 <= panel.width; c += 4)
      dotSome<4>(panel.at + c * panel.stride, panel.stride, begin, panel.height, x, dot + c);
    for (; c < panel.width; ++c) dotSome<1>(panel.at + c * panel.stride, panel.stride, begin, panel.height, x, dot + c);
  }
};

// `target` is an attribute or nothing, which parentheses would break.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define TENDRIL_KERNELS(name, lanes, target)                                                                          \
  target void name##Product(const double* source, std::ptrdiff_t stride, int inner, int height, const double* scaled, \
                            int columns, double* const* column, const int* into) {                                    \
    Kernels<lanes>::subtractProduct(source, stride, inner, height, scaled, columns, column, into);                    \
  }                                                                                                                   \
  target void name##Finish(double* at, std::ptrdiff_t stride, int columns, int begin, int height, const double* l) {  \
    Kernels<lanes>::finishRows(at, stride, columns, begin, height, l);                                                \
  }                                                                                                                   \
  target void name##Add(const DensePanel& panel, int begin, const double* factor, double* sum) {                      \
    Kernels<lanes>::addColumns(panel, begin, factor, sum);                                                            \
  }                                                                                                                   \
  target void name##Dot(const DensePanel& panel, int begin, const double* x, double* dot) {                           \
    Kernels<lanes>::dotColumns(panel, begin, x, dot);                                                                 \
  }                                                                                                                   \
  constexpr DenseKernels name{name##Product, name##Finish, name##Add, name##Dot};
// NOLINTEND(bugprone-macro-parentheses)

TENDRIL_KERNELS(plain, packLanes, )
#ifdef TENDRIL_AVX
TENDRIL_KERNELS(avx, 4, TENDRIL_AVX)
#else
constexpr DenseKernels avx = plain;
#endif
#undef TENDRIL_KERNELS

}  // namespace

const DenseKernels& plainDenseKernels() { return plain; }

const DenseKernels& denseKernels() { return processorHasAvx() ? avx : plain; }

}  // namespace tendril::solve
