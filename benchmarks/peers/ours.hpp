// SPDX-License-Identifier: BSD-3-Clause
// Our calls under the names that peers' calls have.
#pragma once

#include "benchmarks/peers/peer.hpp"
#include "benchmarks/robots.hpp"

namespace jounce::bench {

/// The robot as peers get it, and the states that all calls go through.
PeerTree tree_of(const Robot& robot);
/// The same with what holds it, in states that suit that.
PeerTree tree_of(const HeldRobot& held);

/// Our calls at those states. What is found is in our order, so that peers' numbers compare.
PeerCalls our_calls(const Robot& robot, const PeerTree& tree);
PeerCalls our_calls(const HeldRobot& held, const PeerTree& tree);

}  // namespace jounce::bench
