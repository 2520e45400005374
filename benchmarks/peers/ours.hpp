// SPDX-License-Identifier: BSD-3-Clause
// Our calls under the names that peers' calls have.
#pragma once

#include <jounce/model/robot.hpp>

#include "benchmarks/peers/peer.hpp"

namespace jounce::bench {

/// The last link on the last body.
FrameId tip_of(const Robot& robot);

/// The robot as peers get it, and the states that all calls go through.
PeerTree tree_of(const Robot& robot);

/// Our calls at those states. What is found is in our order, so that peers' numbers compare.
PeerCalls our_calls(const Robot& robot, const PeerTree& tree);

}  // namespace jounce::bench
