// SPDX-License-Identifier: BSD-3-Clause
// The part of the tour's chapter on Gough-Stewart platforms that shows all poses.
#pragma once

#include "report/page.hpp"

namespace jounce::app {

/// Text, checks, and a picture of all 40 poses of Dietmaier's platform.
void add_all_poses(report::Chapter& chapter);

}  // namespace jounce::app
