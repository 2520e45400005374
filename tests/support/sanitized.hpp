// SPDX-License-Identifier: BSD-3-Clause
// JOUNCE_SANITIZED where a sanitizer brings its own malloc: GCC says so by macros, Clang by
// features.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define JOUNCE_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define JOUNCE_SANITIZED
#endif
