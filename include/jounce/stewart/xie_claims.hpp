// SPDX-License-Identifier: BSD-3-Clause
// What [Xie] says, statement by statement, beside what the same computation gives here.
//
// Every sentence of `found` is made from the numbers of the runs it is given.
#pragma once

#include <jounce/stewart/xie_tables.hpp>

namespace jounce {

struct XieClaim {
  std::string where;  ///< Table 2, section 5 GN 1, ...
  std::string claim;  ///< the paper's statement; in brackets how a vague word is read
  std::string found;  ///< what the runs show
  bool reproduced = false;
};

/// Table 1, (29), (30), q_S1, q_S2, start 2: the data, as printed and as corrected.
std::vector<XieClaim> xie_data_claims(const XieExperiment& experiment);
/// The percentages of one table, cell by cell: with the branch shares, mean iterations and
/// consecutive ranges of the factor.
std::vector<XieClaim> xie_cell_claims(const std::vector<XieCell>& cells);
/// The statements of section 5 about each method, and its conclusions, from both tables.
std::vector<XieClaim> xie_text_claims(const std::vector<XieCell>& gauss_newton,
                                      const std::vector<XieCell>& levenberg_marquardt);
/// Algorithm A1 as printed and the numbers of solutions that the introduction quotes.
std::vector<XieClaim> xie_algorithm_claims(const XieExperiment& experiment);

/// Why a cell differs, from the runs of xie_variants: which of them have the paper's percentage.
std::string xie_reason(const XieCell& cell, size_t place, const std::vector<XieVariant>& variants,
                       const XieRange& under_rounding);

}  // namespace jounce
