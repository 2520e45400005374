// SPDX-License-Identifier: BSD-3-Clause
// Inertias that a distribution of mass has, and the nearest of them to others.
#pragma once

#include <jounce/group/inertia.hpp>
#include <span>

namespace jounce {

/// The smallest eigenvalue of the pseudo-inertia: negative where no distribution of mass has this
/// inertia (Wensing, Kim, Slotine 2018).
double physical_margin(const Inertia<double>& G);
/// The nearest inertia with a margin of at least `margin`, in the Frobenius norm of the
/// pseudo-inertia. InputError for a margin that is negative or not finite.
Inertia<double> nearest_physical(const Inertia<double>& G, double margin = 0);
/// The same for all links of a parameter vector; parameters of joints become at least zero.
void nearest_physical(std::span<double> parameters, int links, double margin = 0);

}  // namespace jounce
