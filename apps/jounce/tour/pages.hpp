// SPDX-License-Identifier: BSD-3-Clause
// The pages of jounce-tour.
#pragma once

#include "report/page.hpp"

namespace jounce::app {

report::Page tour_page();
/// Sections 6 and 7 of Ali, Gabellieri, Franchi 2026.
report::Page orders_evaluation_page();
/// The comparison of frames that the paper asks for.
report::Page orders_frames_page();

}  // namespace jounce::app
