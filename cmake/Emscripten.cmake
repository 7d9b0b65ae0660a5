# Finds Emscripten's own toolchain file: beside the em++ of the PATH (an SDK), or where Debian puts it.
find_program(TENDRIL_EMXX em++ REQUIRED NO_CMAKE_FIND_ROOT_PATH)
file(REAL_PATH ${TENDRIL_EMXX} emxx)
get_filename_component(emscriptenRoot ${emxx} DIRECTORY)
find_file(TENDRIL_EMSCRIPTEN_TOOLCHAIN Emscripten.cmake
  PATHS ${emscriptenRoot}/cmake/Modules/Platform /usr/share/emscripten/cmake/Modules/Platform
  NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
include(${TENDRIL_EMSCRIPTEN_TOOLCHAIN})
