// SPDX-License-Identifier: BSD-3-Clause
// What the command line and Python call methods, charts, searches and outcomes. The first of each
// is the library's default.
#pragma once

#include <cstddef>
#include <jounce/stewart/pose_solver.hpp>
#include <jounce/stewart/xie_tables.hpp>
#include <utility>

namespace jounce::stewart_words {

template <class Enum>
using Word = std::pair<const char*, Enum>;

inline constexpr Word<StewartMethod> method_words[] = {
    {"levenberg_marquardt", StewartMethod::levenberg_marquardt},
    {"gauss_newton", StewartMethod::gauss_newton}};
inline constexpr Word<StewartChart> chart_words[] = {{"se3", StewartChart::se3},
                                                     {"quaternion", StewartChart::quaternion},
                                                     {"euler", StewartChart::euler}};
inline constexpr Word<Increment> increment_words[] = {{"space", Increment::space},
                                                      {"body", Increment::body}};
inline constexpr Word<LineSearch> search_words[] = {
    {"squared", LineSearch::squared},
    {"squared_after_test", LineSearch::squared_after_test},
    {"printed", LineSearch::printed},
    {"printed_until_small", LineSearch::printed_until_small},
    {"multiplied", LineSearch::multiplied},
    {"halved", LineSearch::halved}};
inline constexpr Word<StewartScaling> scaling_words[] = {
    {"none", StewartScaling::none},
    {"platform_size", StewartScaling::platform_size},
    {"diagonal", StewartScaling::diagonal}};
inline constexpr Word<StewartStop> stop_words[] = {{"gradient", StewartStop::gradient},
                                                   {"small_step", StewartStop::small_step},
                                                   {"no_descent", StewartStop::no_descent},
                                                   {"max_iterations", StewartStop::max_iterations},
                                                   {"endless_search", StewartStop::endless_search}};
inline constexpr Word<PoseFailure> failure_words[] = {
    {"none", PoseFailure::none},
    {"impossible_lengths", PoseFailure::impossible_lengths},
    {"singular_minimum", PoseFailure::singular_minimum},
    {"max_descent", PoseFailure::max_descent},
    {"outside_domain", PoseFailure::outside_domain}};
inline constexpr Word<XieOutcome> outcome_words[] = {{"true_pose", XieOutcome::true_pose},
                                                     {"branch", XieOutcome::branch},
                                                     {"other_pose", XieOutcome::other_pose},
                                                     {"nowhere", XieOutcome::nowhere}};

/// The word of a value.
template <class Enum, std::size_t N>
constexpr const char* word_of(Enum wanted, const Word<Enum> (&table)[N]) {
  for (const auto& [text, value] : table)
    if (value == wanted) return text;
  return "";
}

}  // namespace jounce::stewart_words
