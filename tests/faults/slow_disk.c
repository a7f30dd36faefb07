/* For LD_PRELOAD: delays fsync and fdatasync by SLOW_MS while the file SLOW_WHILE exists. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_longer(void) {
    const char *file = getenv("SLOW_WHILE"), *ms = getenv("SLOW_MS");
    if (file && ms && access(file, F_OK) == 0) usleep(1000 * atoi(ms));
}

int fsync(int file) {
    wait_longer();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
    wait_longer();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
