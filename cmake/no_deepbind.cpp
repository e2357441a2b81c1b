// AddressSanitizer does not go with RTLD_DEEPBIND, by which CasADi loads its plugins: preloaded, this dlopen leaves the flag out.
#include <dlfcn.h>

extern "C" void* dlopen(const char* file, int mode) {
  using Open = void* (*)(const char*, int);
  static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
  return next(file, mode & ~RTLD_DEEPBIND);
}
