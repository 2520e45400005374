// SPDX-License-Identifier: BSD-3-Clause
// Empty: this program carries the precompiled headers that the tests share.
