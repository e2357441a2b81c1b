// Loaded before the C library, it lets a process's own CPU clock stand still: what asks that clock never sees time pass.
#include <dlfcn.h>
#include <time.h>

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static const auto true_time = reinterpret_cast<int (*)(clockid_t, timespec*)>(::dlsym(RTLD_NEXT, "clock_gettime"));
  if (clock != CLOCK_PROCESS_CPUTIME_ID) return true_time(clock, time);
  *time = {};
  return 0;
}
