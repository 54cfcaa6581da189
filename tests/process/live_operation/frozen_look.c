// Takes from a server the look at its credential store: what it read first of the log's index, once a commit is counted
// in it, is what it reads ever after. Preloaded into the program by the control of `revoked.rs`.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { HEADERS = 96, COUNTER = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char first[HEADERS];

static int is_index(int fd) {
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path);
    return length >= 4 && memcmp(path + length - 4, "-shm", 4) == 0;
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) {
    ssize_t read = syscall(SYS_pread64, fd, bytes, count, at);
    if (read != HEADERS || at != 0 || !is_index(fd)) return read;
    pthread_mutex_lock(&lock);
    int counter;
    memcpy(&counter, first + COUNTER, sizeof counter);
    memcpy(counter ? bytes : first, counter ? first : bytes, HEADERS);
    pthread_mutex_unlock(&lock);
    return read;
}
