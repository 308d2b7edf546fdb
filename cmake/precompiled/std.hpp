// What nearly every source includes; never a header of our own, so that a change builds little.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <boost/system/result.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
