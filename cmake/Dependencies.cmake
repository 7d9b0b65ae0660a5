# Header-only dependencies: Eigen (3.4 or newer), Spectra (1.0 or newer) and nlohmann-json. They stay inside: no public header includes them.
#
# Natively what find_package finds comes first, so that CMAKE_PREFIX_PATH, vcpkg and Conan decide, or targets that the
# parent project has already. Then, and for a cross compiler always, the usual folders are searched: packages of the
# build machine are not for it, and it must never see the system's own include folder, so json gets one to itself there.
# TENDRIL_EIGEN_INCLUDE, TENDRIL_SPECTRA_INCLUDE and TENDRIL_JSON_SYSTEM name the folders by hand.
set(TENDRIL_EIGEN_INCLUDE "" CACHE PATH "Folder that holds Eigen/Core; empty: it is looked for")
set(TENDRIL_SPECTRA_INCLUDE "" CACHE PATH "Folder that holds Spectra/SymGEigsSolver.h; empty: it is looked for")
set(TENDRIL_JSON_SYSTEM "" CACHE PATH "Folder that holds nlohmann/json.hpp; empty: it is looked for")

# tendril_package_folder(RESULT PACKAGE TARGET LEAST): the include folder of TARGET, if its package is new enough.
function(tendril_package_folder result package target least)
  set(${result} "" PARENT_SCOPE)
  if(NOT TARGET ${target})
    find_package(${package} CONFIG QUIET)
    if(NOT TARGET ${target} OR "${${package}_VERSION}" VERSION_LESS ${least})
      return()
    endif()
  endif()
  get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
  if(folders)
    set(${result} "${folders}" PARENT_SCOPE)
  endif()
endfunction()

# tendril_named_folder(VARIABLE HEADER): refuses a folder that VARIABLE names by hand and that lacks HEADER.
function(tendril_named_folder variable header)
  if(${variable} AND NOT EXISTS "${${variable}}/${header}")
    message(FATAL_ERROR "${variable} names ${${variable}}, but there is no ${${variable}}/${header}: name the folder that holds ${header}, or leave it empty, and it is looked for")
  endif()
endfunction()

tendril_named_folder(TENDRIL_EIGEN_INCLUDE Eigen/Core)
tendril_named_folder(TENDRIL_SPECTRA_INCLUDE Spectra/SymGEigsSolver.h)
tendril_named_folder(TENDRIL_JSON_SYSTEM nlohmann/json.hpp)
set(eigen "${TENDRIL_EIGEN_INCLUDE}")
set(spectra "${TENDRIL_SPECTRA_INCLUDE}")
set(json "${TENDRIL_JSON_SYSTEM}")
if(NOT CMAKE_CROSSCOMPILING)
  if(NOT eigen)
    tendril_package_folder(eigen Eigen3 Eigen3::Eigen 3.4)
  endif()
  # Its package asks for Eigen's again, which a parent project may have in another way: only a target that is there counts.
  if(NOT spectra AND TARGET Spectra::Spectra)
    tendril_package_folder(spectra spectra Spectra::Spectra 1.0)
  endif()
  if(NOT json)
    tendril_package_folder(json nlohmann_json nlohmann_json::nlohmann_json 3)
  endif()
endif()
set(only)
if(CMAKE_CROSSCOMPILING)
  set(only NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
endif()
if(NOT eigen)
  find_path(TENDRIL_EIGEN_FOUND Eigen/Core
    HINTS ENV EIGEN3_INCLUDE_DIR
    PATHS /usr/include /usr/local/include /opt/homebrew/include
    PATH_SUFFIXES eigen3 ${only} DOC "Folder that holds Eigen/Core")
  mark_as_advanced(TENDRIL_EIGEN_FOUND)
  set(eigen "${TENDRIL_EIGEN_FOUND}")
endif()
if(NOT spectra)
  find_path(TENDRIL_SPECTRA_FOUND Spectra/SymGEigsSolver.h
    PATHS /usr/include /usr/local/include /opt/homebrew/include
    ${only} DOC "Folder that holds Spectra/SymGEigsSolver.h")
  mark_as_advanced(TENDRIL_SPECTRA_FOUND)
  set(spectra "${TENDRIL_SPECTRA_FOUND}")
endif()
if(NOT json)
  find_path(TENDRIL_JSON_FOUND nlohmann/json.hpp
    PATHS /usr/include /usr/local/include /opt/homebrew/include
    ${only} DOC "Folder that holds nlohmann/json.hpp")
  mark_as_advanced(TENDRIL_JSON_FOUND)
  set(json "${TENDRIL_JSON_FOUND}")
endif()
if(NOT eigen)
  message(FATAL_ERROR "Eigen 3.4 was not found: install libeigen3-dev, add its prefix to CMAKE_PREFIX_PATH, or set TENDRIL_EIGEN_INCLUDE to the folder of Eigen/Core")
endif()
if(NOT spectra)
  message(FATAL_ERROR "Spectra was not found: install libspectra-dev, add its prefix to CMAKE_PREFIX_PATH, or set TENDRIL_SPECTRA_INCLUDE to the folder of Spectra/SymGEigsSolver.h")
endif()
if(NOT json)
  message(FATAL_ERROR "nlohmann-json was not found: install nlohmann-json3-dev, add its prefix to CMAKE_PREFIX_PATH, or set TENDRIL_JSON_SYSTEM to the folder of nlohmann/json.hpp")
endif()
if(EMSCRIPTEN)
  file(COPY ${json}/nlohmann DESTINATION ${PROJECT_BINARY_DIR}/overlay)
  file(COPY ${spectra}/Spectra DESTINATION ${PROJECT_BINARY_DIR}/overlay)
  set(json ${PROJECT_BINARY_DIR}/overlay)
  set(spectra ${PROJECT_BINARY_DIR}/overlay)
endif()

# tendril_inside(TARGET): compiles TARGET as a part of the engine, with its own headers and those that it needs.
set(TENDRIL_INSIDE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR}/engine)
set(TENDRIL_OUTSIDE ${eigen} ${spectra} ${json})
function(tendril_inside target)
  target_include_directories(${target} PRIVATE ${TENDRIL_INSIDE})
  target_include_directories(${target} SYSTEM PRIVATE ${TENDRIL_OUTSIDE})
  tendril_flags(${target})
endfunction()
