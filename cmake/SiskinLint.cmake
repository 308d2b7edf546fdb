# Lint as tests (docs/contributing.md): `ctest -L quick` runs them, `ctest -R lint` only them.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

foreach(lint IN ITEMS include_order limits format)
  add_test(NAME lint_${lint}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/lint/${lint}.py)
endforeach()
add_test(NAME lint_itself COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/lint/lint_test.py)
set_tests_properties(lint_include_order lint_limits lint_format lint_itself PROPERTIES
  LABELS "quick;lint" SKIP_RETURN_CODE 77 TIMEOUT 60)

# Every public header compiles alone: one source a header, which includes nothing else.  Once is
# enough, so the sanitized trees leave it to the release tree; nothing is linked or run.
if(NOT SISKIN_SANITIZE)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_SOURCE_DIR}/include/siskin/*/*.hpp)
  set(alone_sources "")
  foreach(header IN LISTS headers)
    string(REPLACE "/" "_" source ${header})
    set(source ${PROJECT_BINARY_DIR}/header_alone/${source}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n")
    list(APPEND alone_sources ${source})
  endforeach()
  add_library(header_alone OBJECT ${alone_sources})
  target_include_directories(header_alone PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(header_alone PRIVATE siskin_flags siskin_asio siskin_spdlog)
  target_compile_options(header_alone PRIVATE -O0 -g0 -fno-lto)
endif()
