// SPDX-License-Identifier: BSD-3-Clause
// Tests of the progress bar with a clock and a stream of our own.
#include "report/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "report/text.hpp"

namespace jounce::report {
namespace {

const std::string clear_line = "\r\x1b[K";

struct Fake {
  std::ostringstream stream;
  double time = 100;

  Terminal terminal(bool interactive = true, std::size_t columns = 80) {
    return {stream, interactive, columns, [this] { return time; }};
  }
  std::string take() {
    std::string text = stream.str();
    stream.str("");
    return text;
  }
};

TEST(Progress, ShowsLabelBarPercentAndTimes) {
  Fake fake;
  Progress progress("Checking", 8, fake.terminal());
  fake.time += 61;
  progress.advance(2);
  EXPECT_EQ(fake.take(), clear_line + "Checking ━━━━━━──────────────────  25 %  1:01, 3:03 left");
  fake.time += 3600;
  progress.advance(6);
  EXPECT_EQ(fake.take(),
            clear_line + "Checking ━━━━━━━━━━━━━━━━━━━━━━━━ 100 %  1:01:01, 0:00 left");
}

TEST(Progress, IsSilentWhereThereIsNoTerminal) {
  Fake fake;
  {
    Progress progress("Checking", 10, fake.terminal(false));
    for (int i = 0; i < 10; ++i) {
      fake.time += 1;
      progress.advance();
    }
  }
  EXPECT_EQ(fake.take(), "");
  Progress without_clock("Checking", 1, {fake.stream, false, 80, {}});
  without_clock.advance();
}

TEST(Progress, DrawsTenTimesASecondAtMost) {
  Fake fake;
  Progress progress("Checking", 100000, fake.terminal());
  for (int i = 0; i < 10000; ++i) {
    fake.time += 0.001;
    progress.advance();
  }
  const std::string text = fake.take();
  const auto drawings = std::count(text.begin(), text.end(), '\r');
  EXPECT_GE(drawings, 95);
  EXPECT_LE(drawings, 100);
}

TEST(Progress, ClearsItsLineOnceAtTheEnd) {
  Fake fake;
  {
    Progress progress("Checking", 4, fake.terminal());
    fake.time += 1;
    progress.advance();
    fake.take();
    progress.finish();
    EXPECT_EQ(fake.take(), clear_line);
    fake.time += 1;
    progress.advance();
    progress.finish();
  }
  EXPECT_EQ(fake.take(), "");
}

TEST(Progress, StaysSilentForShortWork) {
  Fake fake;
  {
    Progress progress("Checking", 4, fake.terminal());
    fake.time += 0.05;
    progress.advance(4);
  }
  EXPECT_EQ(fake.take(), "");
}

TEST(Progress, FitsAnyTerminal) {
  for (std::size_t width = 0; width < 120; ++width) {
    Fake fake;
    Progress progress(repeat("größer ", 20), 3, fake.terminal(true, width));
    fake.time += 1e9;
    progress.advance();
    const std::string text = fake.take();
    ASSERT_TRUE(text.starts_with(clear_line));
    EXPECT_LT(columns(text.substr(clear_line.size())), std::max<std::size_t>(width, 1));
  }
}

TEST(Progress, TakesOddTotals) {
  Fake fake;
  Progress none("none\n\x1b[2J", 0, fake.terminal());
  fake.time += 1;
  none.advance();
  EXPECT_EQ(fake.take(), clear_line + "none \uFFFD[2J ━━━━━━━━━━━━━━━━━━━━━━━━ 100 %  0:01");
  Progress over("over", 2, fake.terminal());
  fake.time += 1;
  over.advance();
  fake.take();
  fake.time += 1;
  over.advance(static_cast<std::size_t>(-1));
  EXPECT_EQ(fake.take(), clear_line + "over ━━━━━━━━━━━━━━━━━━━━━━━━ 100 %  0:02, 0:00 left");
}

TEST(Progress, SurvivesAStreamThatThrows) {
  Fake fake;
  Progress progress("Checking", 2, fake.terminal());
  fake.time += 1;
  progress.advance();
  fake.stream.exceptions(std::ios::badbit | std::ios::failbit);
  try {
    fake.stream.setstate(std::ios::badbit);
  } catch (const std::ios::failure&) {
  }
}

}  // namespace
}  // namespace jounce::report
