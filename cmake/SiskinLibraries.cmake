# Third-party libraries, all from Debian's packages; each becomes one target with system headers.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED CONFIG)
find_package(spdlog REQUIRED)
find_package(OpenSSL REQUIRED)
pkg_check_modules(LDNS REQUIRED IMPORTED_TARGET ldns)

function(siskin_library name)
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE ${ARGN})
endfunction()

siskin_library(siskin_spdlog spdlog::spdlog)
siskin_library(siskin_ldns PkgConfig::LDNS OpenSSL::Crypto)
siskin_library(siskin_asio Boost::headers Threads::Threads)
target_compile_definitions(siskin_asio INTERFACE BOOST_ASIO_NO_DEPRECATED)

add_library(siskin_tomlplusplus INTERFACE)   # header-only in Debian, used by one file
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
add_library(siskin_cli11 INTERFACE)
find_path(CLI11_INCLUDE CLI/CLI.hpp REQUIRED)

siskin_library(siskin_allocator)
if(SISKIN_ALLOCATOR STREQUAL jemalloc)
  pkg_check_modules(JEMALLOC REQUIRED IMPORTED_TARGET jemalloc)
  target_link_libraries(siskin_allocator INTERFACE PkgConfig::JEMALLOC)
endif()
