/// The one way to Catch2: Debian 12 ships version 2, Debian 13 version 3.
#pragma once

#ifdef SISKIN_CATCH3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
