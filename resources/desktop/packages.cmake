# SPDX-License-Identifier: MIT
# Debian packages of what `cmake --install` lays out: lanes, and lanescope, which needs it. Made by `cpack`, after the
# target `installed`; ./dev package does both.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lanescope)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGE_VENDOR "The Lanescope authors")
set(CPACK_PACKAGE_CONTACT "The Lanescope authors <maintainers@lanescope.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL lanes)
if(LANES_GUI)
    list(APPEND CPACK_COMPONENTS_ALL lanescope)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_LANES_PACKAGE_NAME lanes)
set(CPACK_DEBIAN_LANES_DESCRIPTION "records what a CPU and a GPU do at the same time
Runs copy and kernel workloads, or any CUDA program, records what really
happened through CUPTI, and says what was blocking and what overlapped, what
cost time and what to do about it. Without a GPU the workloads run on a model
of one.
.
This package has the command line, the recorder, the workloads and their
recordings. The window is in the package lanescope.")
set(CPACK_DEBIAN_LANESCOPE_PACKAGE_NAME lanescope)
set(CPACK_DEBIAN_LANESCOPE_PACKAGE_DEPENDS "lanes (= ${PROJECT_VERSION})")
# A plugin that no library asks for draws the icons; since Debian 13 it is in a package of its own.
execute_process(COMMAND dpkg-query -S */qt6/plugins/imageformats/libqsvg.so
    OUTPUT_VARIABLE owner OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(owner MATCHES "^([^:]+):")
    string(APPEND CPACK_DEBIAN_LANESCOPE_PACKAGE_DEPENDS ", ${CMAKE_MATCH_1}")
endif()
set(CPACK_DEBIAN_LANESCOPE_PACKAGE_RECOMMENDS "shared-mime-info, hicolor-icon-theme, qt6-translations-l10n")
set(CPACK_DEBIAN_LANESCOPE_DESCRIPTION "timeline profiler that shows blocking and overlap
Draws one lane for every CPU thread and every GPU stream, two recordings on
one time scale. It opens its own recordings and exports of Nsight Systems,
teaches with lessons that were recorded on real GPUs, and makes pictures for
slides and papers.")
include(CPack)
