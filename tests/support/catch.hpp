/// The one way to Catch2: Debian 12 ships version 2, Debian 13 version 3.
#pragma once

#ifdef SISKIN_CATCH3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include "siskin/base/result.hpp"

namespace Catch {

/// Boost.System prints any result through operator<< of its value, which most of ours lack.
template <class T, class E>
struct StringMaker<boost::system::result<T, E>> {
  static std::string convert(const boost::system::result<T, E>& result) {
    return result ? "a value" : "an error";
  }
};

}  // namespace Catch
