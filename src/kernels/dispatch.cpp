// SPDX-License-Identifier: BSD-3-Clause
// Which build of every kernel this processor gets.
#include <jounce/cpu.hpp>

#include "kernels/kernels.hpp"
#include "kernels/series_kernels.hpp"
#include "stewart/kernels.hpp"
#include "stewart/path_kernel.hpp"

// The kernel files, once per instruction set.
namespace jounce_baseline {
void fill_kernels(kernel_interface::Kernels& kernels);
void fill_mass_kernels(kernel_interface::Kernels& kernels);
void fill_coriolis_kernel(kernel_interface::Kernels& kernels);
void fill_derivative_kernels(kernel_interface::Kernels& kernels);
void fill_second_kernels(kernel_interface::Kernels& kernels);
void fill_series_kernels(kernel_interface::SeriesKernels& kernels);
void fill_stewart_kernels(kernel_interface::StewartKernels& kernels);
void track_paths(const void* homotopy, const void* options, void* paths, int count);
}  // namespace jounce_baseline
#if defined(__x86_64__)
namespace jounce_avx2 {
void fill_kernels(kernel_interface::Kernels& kernels);
void fill_mass_kernels(kernel_interface::Kernels& kernels);
void fill_coriolis_kernel(kernel_interface::Kernels& kernels);
void fill_derivative_kernels(kernel_interface::Kernels& kernels);
void fill_second_kernels(kernel_interface::Kernels& kernels);
void fill_series_kernels(kernel_interface::SeriesKernels& kernels);
void fill_stewart_kernels(kernel_interface::StewartKernels& kernels);
void track_paths(const void* homotopy, const void* options, void* paths, int count);
}  // namespace jounce_avx2
namespace jounce_avx512 {
void fill_kernels(kernel_interface::Kernels& kernels);
void fill_mass_kernels(kernel_interface::Kernels& kernels);
void fill_coriolis_kernel(kernel_interface::Kernels& kernels);
void fill_derivative_kernels(kernel_interface::Kernels& kernels);
void fill_second_kernels(kernel_interface::Kernels& kernels);
void fill_series_kernels(kernel_interface::SeriesKernels& kernels);
void fill_stewart_kernels(kernel_interface::StewartKernels& kernels);
void track_paths(const void* homotopy, const void* options, void* paths, int count);
}  // namespace jounce_avx512
#else
namespace jounce_avx2 = jounce_baseline;
namespace jounce_avx512 = jounce_baseline;
#endif

namespace kernel_interface {
namespace {

/// The one of three builds of a function for this processor.
template <class Function>
Function* chosen(Function* baseline, Function* avx2, Function* avx512) {
  const jounce::Isa isa = jounce::best_isa();
  return isa == jounce::Isa::avx512 ? avx512 : isa == jounce::Isa::avx2 ? avx2 : baseline;
}

template <class Table, class... Fill>
Table filled_by(Fill*... fill) {
  Table table{};
  (fill(table), ...);
  return table;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels table = filled_by<Kernels>(
      chosen(jounce_baseline::fill_kernels, jounce_avx2::fill_kernels, jounce_avx512::fill_kernels),
      chosen(jounce_baseline::fill_mass_kernels, jounce_avx2::fill_mass_kernels,
             jounce_avx512::fill_mass_kernels),
      chosen(jounce_baseline::fill_coriolis_kernel, jounce_avx2::fill_coriolis_kernel,
             jounce_avx512::fill_coriolis_kernel),
      chosen(jounce_baseline::fill_derivative_kernels, jounce_avx2::fill_derivative_kernels,
             jounce_avx512::fill_derivative_kernels),
      chosen(jounce_baseline::fill_second_kernels, jounce_avx2::fill_second_kernels,
             jounce_avx512::fill_second_kernels));
  return table;
}

const SeriesKernels& series_kernels() {
  static const SeriesKernels table = filled_by<SeriesKernels>(
      chosen(jounce_baseline::fill_series_kernels, jounce_avx2::fill_series_kernels,
             jounce_avx512::fill_series_kernels));
  return table;
}

const StewartKernels& stewart_kernels() {
  static const StewartKernels table = filled_by<StewartKernels>(
      chosen(jounce_baseline::fill_stewart_kernels, jounce_avx2::fill_stewart_kernels,
             jounce_avx512::fill_stewart_kernels));
  return table;
}

TrackPaths track_paths() {
  return chosen(jounce_baseline::track_paths, jounce_avx2::track_paths, jounce_avx512::track_paths);
}

}  // namespace kernel_interface
