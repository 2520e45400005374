// SPDX-License-Identifier: BSD-3-Clause
// Memory for the second derivatives.
#pragma once

#include <cstdlib>
#include <jounce/algorithm/second_room.hpp>
#include <jounce/dynamics.hpp>
#include <new>

#include "kernels/lanes/second_lanes.hpp"

namespace jounce {

/// Zeros that take no memory before they are written: most of a wide tree's tensors never are.
class ZeroNumbers {
 public:
  ZeroNumbers() = default;
  /// `shift` numbers after the start of a page, so that tensors do not share lines of a cache.
  explicit ZeroNumbers(size_t size, size_t shift = 0)
      : data_(static_cast<double*>(std::calloc(size + shift + 1, sizeof(double)))),
        size_(size),
        shift_(shift) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  double* data() const { return data_.get() + shift_; }
  size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(double* x) const { std::free(x); }
  };
  std::unique_ptr<double[], Free> data_;
  size_t size_ = 0, shift_ = 0;
};

/// The four blocks, as tensors or as products with a vector.
struct SecondBlocks {
  SecondBlocks() = default;
  explicit SecondBlocks(size_t size)
      : dqdq(size), dqdv(size, 136), dvdv(size, 272), dadq(size, 408) {}
  SecondDerivatives<double> view() const {
    return {dqdq.data(), dqdv.data(), dvdv.data(), dadq.data()};
  }
  /// For a kernel, which writes nothing where there is always zero: dual numbers leave their
  /// rounding there.
  SecondDerivatives<double> without_rounding() {
    if (rounded)
      for (const ZeroNumbers* block : {&dqdq, &dqdv, &dvdv, &dadq})
        std::fill(block->data(), block->data() + block->size(), 0.0);
    rounded = false;
    return view();
  }
  SecondDerivatives<double> for_dual_numbers() {
    rounded = true;
    return view();
  }
  ZeroNumbers dqdq, dqdv, dvdv, dadq;
  bool rounded = false;
};

struct DualWork;

struct SecondWork {
  SecondWork(const Robot& robot, const DerivativeLanes& first, SecondOrder what);
  SecondWork(const SecondWork&) = delete;
  SecondWork& operator=(const SecondWork&) = delete;
  ~SecondWork();

  SecondOrder what;
  std::vector<SubtreeChange<double>> change;
  std::vector<ProductColumn<double>> product;
  std::vector<Twist<double>> before;
  std::vector<Inertia<double>> W;
  std::vector<int> part_first, part_last;
  std::vector<int> ground_body;  ///< [bodies] the body on the ground that carries it
  SecondRoom<double> room;
  std::vector<lanes::ChangeLanes> change_lanes;
  std::vector<double> moment;
  SecondLanes in_lanes;
  SecondBlocks tree, folded;                  ///< tensors; folded where there are mimic joints
  SecondBlocks tree_product, folded_product;  ///< products with a vector
  SecondBlocks forward, forward_product;      ///< of accelerations
  std::vector<double> square[2];              ///< [nv squared]
  std::vector<double> y;                      ///< [nv]
  std::unique_ptr<DualWork> dual;             ///< for what the fast way does not take

  /// Derivatives in the robot's coordinates.
  SecondDerivatives<double> tensors() const { return (folded.dqdq.size() ? folded : tree).view(); }
  SecondDerivatives<double> products() const {
    return (folded_product.dqdq.size() ? folded_product : tree_product).view();
  }
};

}  // namespace jounce
