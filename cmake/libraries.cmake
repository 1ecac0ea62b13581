# The libraries sf stands on, as interface targets named sf_lib_*.
#
# SQLite, libyaml, utf8proc, PCRE2, md4c and ncurses are linked statically where Debian's -dev packages carry the
# archive: relocating SQLite's shared object alone costs more instructions than the whole
# start of `git --version`. libcurl and libgit2 are never linked into the program; they belong
# to the modules (src/modules).

find_package(PkgConfig REQUIRED)

function(sf_library name module)
    cmake_parse_arguments(ARG "STATIC" "" "EXTRA" ${ARGN})
    pkg_check_modules(${name} REQUIRED ${module})
    add_library(sf_lib_${name} INTERFACE)
    target_include_directories(sf_lib_${name} SYSTEM INTERFACE ${${name}_INCLUDE_DIRS})
    set(link ${${name}_LINK_LIBRARIES})
    if(ARG_STATIC)
        list(GET ${name}_LIBRARIES 0 stem)
        find_library(SF_ARCHIVE_${name} lib${stem}.a HINTS ${${name}_LIBRARY_DIRS})
        if(SF_ARCHIVE_${name})
            set(link ${SF_ARCHIVE_${name}} ${ARG_EXTRA})
        endif()
    endif()
    target_link_libraries(sf_lib_${name} INTERFACE ${link})
endfunction()

sf_library(cjson libcjson)
sf_library(yaml yaml-0.1 STATIC)
sf_library(utf8proc libutf8proc STATIC)
sf_library(pcre2 libpcre2-8 STATIC)
sf_library(sqlite3 sqlite3 STATIC EXTRA m)
sf_library(md4c md4c STATIC)
find_library(SF_ARCHIVE_tinfo libtinfo.a)
sf_library(ncurses ncursesw STATIC EXTRA ${SF_ARCHIVE_tinfo})
sf_library(curl libcurl)
sf_library(git2 libgit2)
sf_library(zlib zlib)
if(BUILD_TESTING)
    sf_library(cmocka cmocka)
    sf_library(vterm vterm)
endif()
