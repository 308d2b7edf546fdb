# siskin_precompile(TARGET std|asio|test): the standard library and third-party headers compiled once
# for all targets of a kind, which halves the time of a build.  OFF shows whether each source includes
# all it needs.
option(SISKIN_PRECOMPILED "Compile third-party headers once" ON)

function(siskin_precompile target kind)
  if(NOT SISKIN_PRECOMPILED)
    return()
  endif()
  if(SISKIN_CCACHE)   # or it would take no source that uses one
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${SISKIN_CCACHE}")
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  get_property(owner GLOBAL PROPERTY siskin_precompiled_${kind})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    set_property(GLOBAL PROPERTY siskin_precompiled_${kind} ${target})
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${kind}.hpp)
  endif()
endfunction()
