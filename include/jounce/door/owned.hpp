// SPDX-License-Identifier: BSD-3-Clause
// Vectors and matrices that own their numbers: what the calls of all doors return.
//
// They are made and freed by inline functions, with the flags of whoever calls: the compiled
// library sees only pointers.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <cstdlib>
#include <jounce/scalar/number.hpp>
#include <memory>
#include <new>
#include <vector>

namespace jounce {

/// Eigen's vector for float, double and long double, std::vector for other kinds of number.
template <class Real>
using VectorOf =
    std::conditional_t<Arithmetic<Real>, Eigen::Matrix<Real, Eigen::Dynamic, 1>, std::vector<Real>>;

namespace detail {

template <class Real>
VectorOf<Real> vector_of(int n) {
  if constexpr (Arithmetic<Real>) return VectorOf<Real>(n);
  else return VectorOf<Real>(static_cast<size_t>(n), Real(0));
}

/// Zeros; of float and double on a cache line, and without memory before they are written: most of
/// a wide tree's tensors never are. `shift` numbers off a page, so that tensors do not share lines.
template <class Real>
class ZeroNumbers {
 public:
  ZeroNumbers() = default;
  explicit ZeroNumbers(size_t size, size_t shift = 0) : size_(size), shift_(shift) {
    if constexpr (Arithmetic<Real>) {
      memory_.reset(static_cast<Real*>(std::calloc(size + shift + extra, sizeof(Real))));
      if (memory_ == nullptr) throw std::bad_alloc();
      const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
      data_ = memory_.get() + (64 - address % 64) % 64 / sizeof(Real) + shift;
    } else {
      numbers_.assign(size + extra, Real(0));
      data_ = numbers_.data();
    }
  }
  ZeroNumbers(const ZeroNumbers& other) : ZeroNumbers(other.size_, other.shift_) {
    std::copy(other.data_, other.data_ + size_, data_);
  }
  ZeroNumbers(ZeroNumbers&&) noexcept = default;
  ZeroNumbers& operator=(const ZeroNumbers& other) { return *this = ZeroNumbers(other); }
  ZeroNumbers& operator=(ZeroNumbers&&) noexcept = default;
  ~ZeroNumbers() = default;

  Real* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(Real* x) const { std::free(x); }
  };
  /// Room to align the first number, and for kernels that write whole registers.
  static constexpr size_t extra = Arithmetic<Real> ? 16 + 64 / sizeof(double) : 3;

  std::unique_ptr<Real[], Free> memory_;
  std::vector<Real> numbers_;
  Real* data_ = nullptr;
  size_t size_ = 0, shift_ = 0;
};

struct OwnedAccess;

}  // namespace detail

/// A matrix that owns its numbers, zero when made, of any kind of number; columns one after the
/// other. Only calls of doors write it.
template <class Real>
class BasicOwnedMatrix {
 public:
  BasicOwnedMatrix(int rows, int columns, int stride = 0)
      : numbers_(static_cast<size_t>(stride > 0 ? stride : rows) * static_cast<size_t>(columns)),
        rows_(rows),
        columns_(columns),
        stride_(stride > 0 ? stride : rows) {}

  int rows() const { return rows_; }
  int cols() const { return columns_; }
  int outerStride() const { return stride_; }
  const Real* data() const { return numbers_.data(); }
  const Real& operator()(int i, int j) const { return data()[stride_ * j + i]; }

 private:
  friend struct detail::OwnedAccess;
  detail::ZeroNumbers<Real> numbers_;
  int rows_, columns_, stride_;
};

/// The same of float or double: to be read as any Eigen matrix.
template <Arithmetic Real>
class BasicOwnedMatrix<Real>
    : public Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>,
                        0, Eigen::OuterStride<>> {
 public:
  using View =
      Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>, 0,
                 Eigen::OuterStride<>>;

  BasicOwnedMatrix(int rows, int columns, int stride = 0)
      : BasicOwnedMatrix(detail::ZeroNumbers<Real>(static_cast<size_t>(stride > 0 ? stride : rows) *
                                                   static_cast<size_t>(columns)),
                         rows, columns, stride > 0 ? stride : rows) {}
  BasicOwnedMatrix(const BasicOwnedMatrix& x)
      : BasicOwnedMatrix(detail::ZeroNumbers<Real>(x.numbers_), x.rows(), x.cols(),
                         x.outerStride()) {}
  BasicOwnedMatrix(BasicOwnedMatrix&& x) noexcept
      : BasicOwnedMatrix(std::move(x.numbers_), x.rows(), x.cols(), x.outerStride()) {}
  BasicOwnedMatrix& operator=(const BasicOwnedMatrix& x) { return *this = BasicOwnedMatrix(x); }
  BasicOwnedMatrix& operator=(BasicOwnedMatrix&& x) noexcept {
    numbers_ = std::move(x.numbers_);
    new (static_cast<View*>(this))
        View(numbers_.data(), x.rows(), x.cols(), Eigen::OuterStride<>(x.outerStride()));
    return *this;
  }
  ~BasicOwnedMatrix() = default;

 private:
  friend struct detail::OwnedAccess;
  BasicOwnedMatrix(detail::ZeroNumbers<Real> numbers, Eigen::Index rows, Eigen::Index columns,
                   Eigen::Index stride)
      : View(numbers.data(), rows, columns, Eigen::OuterStride<>(stride)),
        numbers_(std::move(numbers)) {}

  detail::ZeroNumbers<Real> numbers_;
};

using OwnedMatrix = BasicOwnedMatrix<double>;

namespace detail {

/// How calls write what only they may write.
struct OwnedAccess {
  template <class Real>
  static Real* numbers(BasicOwnedMatrix<Real>& x) {
    return x.numbers_.data();
  }
};

}  // namespace detail
}  // namespace jounce
