# The folders of engine/, by what they are compiled for in the module, which visitors download: what runs in every
# iteration for speed, links with more inlining than the rest, which loses by it; what runs once a step, a picture or a scene for size; and what reads texts, which has no arithmetic
# to inline, for the smallest size. Natively all are compiled alike.
set(roomsForSpeed contact elastic formula rods_shells/terms solve vines/step)
set(roomsOfLinks links/chain links/contact links/forces links/system)
set(roomsForSize geometry linear links links/loops links/statics links/view model rods_shells simulation solve/ordering solve/programs vines world)
set(roomsOfTexts formula/compile scene scene/format scene/format/tables scene/import scene/load scene/load/bodies scene/load/contact
  scene/load/links scene/load/outputs scene/resolve scene/select text)
set(roomsOfFits fit)

# tendril_rooms(SOURCES FOLDER...): the .cpp files that stand in these folders of engine/ themselves.
function(tendril_rooms sources)
  set(found)
  foreach(folder IN LISTS ARGN)
    file(GLOB here CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/${folder}/*.cpp)
    list(APPEND found ${here})
  endforeach()
  set(${sources} ${found} PARENT_SCOPE)
endfunction()

tendril_rooms(sourcesForSpeed ${roomsForSpeed})
tendril_rooms(sourcesOfLinks ${roomsOfLinks})
tendril_rooms(sourcesForSize ${roomsForSize})
tendril_rooms(sourcesOfTexts ${roomsOfTexts})
tendril_rooms(sourcesOfFits ${roomsOfFits})
tendril_rooms(cliSources cli)

file(GLOB_RECURSE homeless CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/*.cpp)
list(REMOVE_ITEM homeless ${sourcesForSpeed} ${sourcesOfLinks} ${sourcesForSize} ${sourcesOfTexts} ${sourcesOfFits} ${cliSources})
if(homeless)
  message(FATAL_ERROR "these files are in no folder that cmake/Rooms.cmake names: ${homeless}")
endif()
