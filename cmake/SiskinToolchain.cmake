# Compiler, linker, warnings.  Everything here ends in one interface target, siskin_flags.

# GCC 12 destroys temporaries of `co_await` statements twice (docs/architecture.md, "Compiler").
# The probe runs such a statement and fails where the compiler gets it wrong.
if(NOT DEFINED SISKIN_COROUTINES_SOUND)
  try_run(probe_exit probe_built ${PROJECT_BINARY_DIR}/probe
    ${PROJECT_SOURCE_DIR}/cmake/coroutine_probe.cpp
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON
    COMPILE_OUTPUT_VARIABLE probe_output)
  if(NOT probe_built)
    message(FATAL_ERROR "The compiler ${CMAKE_CXX_COMPILER} cannot build a C++20 coroutine:\n${probe_output}")
  elseif(NOT probe_exit EQUAL 0)
    message(FATAL_ERROR "The compiler ${CMAKE_CXX_COMPILER} miscompiles temporaries in co_await "
      "statements; siskind would crash at random. Use clang 19: -DCMAKE_CXX_COMPILER=clang++-19")
  endif()
  set(SISKIN_COROUTINES_SOUND TRUE CACHE INTERNAL "the coroutine probe passed")
endif()

find_program(SISKIN_CCACHE ccache)
if(SISKIN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SISKIN_CCACHE})
endif()

add_library(siskin_flags INTERFACE)
target_compile_options(siskin_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor
  -Wimplicit-fallthrough -fno-omit-frame-pointer -fstack-protector-strong
  $<$<BOOL:${SISKIN_WERROR}>:-Werror>)
target_compile_definitions(siskin_flags INTERFACE _GLIBCXX_ASSERTIONS)

find_program(SISKIN_LLD NAMES ld.lld-19 ld.lld)
if(SISKIN_LLD)
  target_link_options(siskin_flags INTERFACE -fuse-ld=${SISKIN_LLD})
endif()
if(SISKIN_SANITIZE)
  target_compile_options(siskin_flags INTERFACE -fsanitize=${SISKIN_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(siskin_flags INTERFACE -fsanitize=${SISKIN_SANITIZE})
endif()
option(SISKIN_LTO "Link-time optimisation" OFF)
if(SISKIN_LTO)
  target_compile_options(siskin_flags INTERFACE -flto=thin)
  target_link_options(siskin_flags INTERFACE -flto=thin)
endif()
