# Warnings, hardening and sanitizers for every target.

add_compile_definitions(_GNU_SOURCE)
add_compile_options(
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wformat=2
    -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wvla -Wundef
    -Wwrite-strings -Wcast-qual -Wpointer-arith -Wswitch-enum -Wimplicit-fallthrough
    -Wnull-dereference -fstack-protector-strong)
if(SF_WERROR)
    add_compile_options(-Werror)
endif()

# Sanitizers stay at -Og: gcc 12 reports a false format warning under UBSan from -O1 up.
if(SF_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()

if(SF_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(SF_TRACE)
    add_compile_options(-finstrument-functions)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
    add_compile_options(-fstack-clash-protection -fcf-protection
                        -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
    add_compile_definitions(_FORTIFY_SOURCE=2)
endif()
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack -Wl,--as-needed)
# Most of a start is the loader's: relocations that take no search are packed, and the C library,
# which has nearly all that is searched for, stands before the others.
include(CheckLinkerFlag)
check_linker_flag(C -Wl,-z,pack-relative-relocs SF_PACKS_RELOCATIONS)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND SF_PACKS_RELOCATIONS)
    add_link_options(-Wl,-z,pack-relative-relocs)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
    add_link_options(-Wl,--push-state,--no-as-needed,-lc,-lm,--pop-state)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1")
set(CMAKE_C_FLAGS_DEBUG "-Og -g")
include(CheckPIESupported)
check_pie_supported()
