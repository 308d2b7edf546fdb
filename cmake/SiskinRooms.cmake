# siskin_room(NAME [DEPENDS room...] [LINK target...])
# One object library from src/NAME/*.cpp; what it needs flows on to whoever links it.
function(siskin_room name)
  cmake_parse_arguments(room "" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(NOT sources)
    set(sources ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
  endif()
  add_library(siskin_${name} STATIC ${sources})
  target_include_directories(siskin_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include
                                            PRIVATE ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM room_DEPENDS PREPEND siskin_)
  target_link_libraries(siskin_${name} PUBLIC siskin_flags ${room_DEPENDS} ${room_LINK})
endfunction()
