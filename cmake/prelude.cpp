// The precompiled headers of cmake/Room.cmake belong to a target, and a target has a source.
