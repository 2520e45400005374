// SPDX-License-Identifier: BSD-3-Clause
// Names in messages.
#pragma once

#include <string>
#include <string_view>

namespace jounce {

/// "text" in double quotes, shortened and with control characters made visible, for messages.
std::string in_quotes(std::string_view text);

/// Whether the text holds a character below space or DEL, which no name may.
bool has_control_character(std::string_view text);

}  // namespace jounce
