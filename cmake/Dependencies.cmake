# Header-only dependencies, found in the same way natively and for WASM: Eigen (3.4 or newer) and nlohmann-json.
# A cross compiler must never see the system's own include folder, so json gets a folder to itself there.
find_path(TENDRIL_EIGEN_INCLUDE Eigen/Core
  HINTS ENV EIGEN3_INCLUDE_DIR
  PATHS /usr/include /usr/local/include /opt/homebrew/include
  PATH_SUFFIXES eigen3 NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH DOC "Folder that holds Eigen/Core")
find_path(TENDRIL_JSON_SYSTEM nlohmann/json.hpp
  PATHS /usr/include /usr/local/include /opt/homebrew/include
  NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH DOC "Folder that holds nlohmann/json.hpp")
if(NOT TENDRIL_EIGEN_INCLUDE)
  message(FATAL_ERROR "Eigen was not found: install libeigen3-dev, or set TENDRIL_EIGEN_INCLUDE to the folder of Eigen/Core")
endif()
if(NOT TENDRIL_JSON_SYSTEM)
  message(FATAL_ERROR "nlohmann-json was not found: install nlohmann-json3-dev, or set TENDRIL_JSON_SYSTEM to the folder of nlohmann/json.hpp")
endif()
if(EMSCRIPTEN)
  set(TENDRIL_JSON_INCLUDE ${PROJECT_BINARY_DIR}/overlay)
  file(COPY ${TENDRIL_JSON_SYSTEM}/nlohmann DESTINATION ${TENDRIL_JSON_INCLUDE})
else()
  set(TENDRIL_JSON_INCLUDE ${TENDRIL_JSON_SYSTEM})
endif()
