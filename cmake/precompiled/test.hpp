// For tests, of whichever room.
#include "asio.hpp"

#include "support/catch.hpp"
