// SPDX-License-Identifier: BSD-3-Clause
// A text that must be refused, and the message it must be refused with.
#pragma once

#include <gtest/gtest.h>

#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <string>
#include <vector>

namespace jounce::test {

struct BadText {
  std::string text, message;  ///< the message without the name of the file in front
};

using Reader = Loaded (*)(std::string_view, const std::string&, const ReadOptions&);

inline void expect_refusals(Reader read, const std::vector<BadText>& cases) {
  for (const BadText& bad : cases) {
    try {
      read(bad.text, "file", {});
      ADD_FAILURE() << "accepted: " << bad.text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "file:" + bad.message) << bad.text;
    }
  }
}

}  // namespace jounce::test
