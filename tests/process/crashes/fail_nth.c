// Fails one file operation of the program that it is preloaded into: the Nth below a folder.
//
// A seccomp filter traps every system call of the kinds below, also those that are made without the C
// library; the handler counts it, notes it in a shared log, and lets it pass or fail.
//
//   FAIL_BELOW  the folder; operations on other files pass uncounted
//   FAIL_LOG    the log: an existing file of sizeof(struct log) bytes, all zero
//   FAIL_NTH    which operation, 1 for the first; 0 for none
//   FAIL_KIND   eio: it fails with EIO;          full: it and all that take space fail with ENOSPC from
//               short: it does half of its bytes;      then on
//               kill: the process is killed instead of it
//               crowded: as full, but for names and holes, until a file named ...-reserve is removed; then there is room for
//                     as many bytes as it had
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// The sixth argument of calls that the handler makes itself; none of the calls below has one.
#define PASS 0x6b697468

#if defined(__x86_64__)
#define REGISTER(context, n) ((context)->uc_mcontext.gregs[(const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8}[n]])
#define RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define REGISTER(context, n) ((context)->uc_mcontext.regs[n])
#define RESULT(context) ((context)->uc_mcontext.regs[0])
#else
#error "which registers hold the arguments of a system call here?"
#endif

enum form { OF_PATH, OF_PATH_AT, OF_FD };

// What is counted: how it is called in the log, where its file is told, whether it takes space, and
// whether it may do a part: of as many bytes, or buffers, as its third argument says.
static const struct operation {
    int number;
    const char *name;
    enum form form;
    char takes_space;
    char is_partial;
} OPERATIONS[] = {
#ifdef SYS_open
    {SYS_open, "open", OF_PATH, 0, 0},
    {SYS_rename, "rename", OF_PATH, 0, 0},
    {SYS_link, "link", OF_PATH, 1, 0},
    {SYS_unlink, "unlink", OF_PATH, 0, 0},
    {SYS_mkdir, "mkdir", OF_PATH, 1, 0},
    {SYS_chmod, "chmod", OF_PATH, 0, 0},
#endif
    {SYS_openat, "open", OF_PATH_AT, 0, 0},
#ifdef SYS_renameat
    {SYS_renameat, "rename", OF_PATH_AT, 0, 0},
#endif
    {SYS_renameat2, "rename", OF_PATH_AT, 0, 0},
    {SYS_linkat, "link", OF_PATH_AT, 1, 0},
    {SYS_unlinkat, "unlink", OF_PATH_AT, 0, 0},
    {SYS_mkdirat, "mkdir", OF_PATH_AT, 1, 0},
    {SYS_fchmodat, "chmod", OF_PATH_AT, 0, 0},
    {SYS_read, "read", OF_FD, 0, 1},
    {SYS_pread64, "pread", OF_FD, 0, 1},
    {SYS_write, "write", OF_FD, 1, 1},
    {SYS_pwrite64, "pwrite", OF_FD, 1, 1},
    {SYS_writev, "writev", OF_FD, 1, 1},
    {SYS_pwritev, "pwritev", OF_FD, 1, 1},
    {SYS_fsync, "fsync", OF_FD, 0, 0},
    {SYS_fdatasync, "fdatasync", OF_FD, 0, 0},
    {SYS_ftruncate, "ftruncate", OF_FD, 1, 0},
    {SYS_fallocate, "fallocate", OF_FD, 1, 0},
    {SYS_fchmod, "chmod", OF_FD, 0, 0},
};
#define OPERATION_COUNT (sizeof OPERATIONS / sizeof *OPERATIONS)

// The test reads this; both ends are the same machine.
struct log {
    _Atomic unsigned count;
    _Atomic unsigned failed; // which was the first to fail, from 1
    struct entry {
        char name[12];
        char path[244];
    } entries[8192];
};

static struct log *operations;
static unsigned nth;
static char kind;
static char below[512];

static const struct operation *find(int number) {
    for (size_t at = 0; at < OPERATION_COUNT; at++)
        if (OPERATIONS[at].number == number) return &OPERATIONS[at];
    abort();
}

static void find_path(const struct operation *operation, ucontext_t *context, char *path, size_t size) {
    if (operation->form == OF_FD) {
        char link[32];
        snprintf(link, sizeof link, "/proc/self/fd/%d", (int)REGISTER(context, 0));
        ssize_t length = readlink(link, path, size - 1);
        path[length > 0 ? length : 0] = 0;
        return;
    }
    const char *told = (const char *)REGISTER(context, operation->form == OF_PATH_AT ? 1 : 0);
    strncpy(path, told ? told : "", size - 1);
    path[size - 1] = 0;
}

static long pass(int number, ucontext_t *context, long third) {
    long result = syscall(number, REGISTER(context, 0), REGISTER(context, 1), third, REGISTER(context, 3),
                          REGISTER(context, 4), PASS);
    return result == -1 ? -errno : result;
}

static int takes_space(const struct operation *operation, ucontext_t *context) {
    if (strcmp(operation->name, "open")) return operation->takes_space;
    return (REGISTER(context, operation->form == OF_PATH_AT ? 2 : 1) & O_CREAT) != 0;
}

static void note_failure(unsigned place) {
    unsigned none = 0;
    atomic_compare_exchange_strong(&operations->failed, &none, place + 1);
}

static _Atomic long room;

// Whether there is room for what the operation writes, once a reserve was removed.
static int has_room(const struct operation *operation, const char *path, long third) {
    static const char reserve[] = "-reserve";
    size_t length = strlen(path), end = sizeof reserve - 1;
    if (!strcmp(operation->name, "unlink") && length > end && !strcmp(path + length - end, reserve))
        return atomic_store(&room, 256 << 10), 1;
    long bytes = operation->form == OF_FD && operation->is_partial ? third : 1;
    return atomic_load(&room) >= bytes && (atomic_fetch_sub(&room, bytes), 1);
}

static long perform(const struct operation *operation, ucontext_t *context) {
    char path[244];
    long third = REGISTER(context, 2);
    find_path(operation, context, path, sizeof path);
    if (strncmp(path, below, strlen(below))) return pass(operation->number, context, third);
    unsigned place = atomic_fetch_add(&operations->count, 1);
    if (place < sizeof operations->entries / sizeof *operations->entries) {
        strcpy(operations->entries[place].name, operation->name);
        strcpy(operations->entries[place].path, path);
    }
    int is_nth = place + 1 == nth, is_after = nth && place + 1 >= nth;
    if (kind == 'e' && is_nth) return note_failure(place), -EIO;
    if (kind == 'f' && is_after && takes_space(operation, context)) return note_failure(place), -ENOSPC;
    // Names and holes have room where content has none.
    int is_content = takes_space(operation, context) && strcmp(operation->name, "open") &&
                     strcmp(operation->name, "ftruncate");
    if (kind == 'c' && (is_content || !strcmp(operation->name, "unlink")) &&
        !has_room(operation, path, third) && is_content)
        return note_failure(place), -ENOSPC;
    if (kind == 's' && is_nth && operation->is_partial && third > 1) note_failure(place), third /= 2;
    if (kind == 'k' && is_nth) note_failure(place), kill(getpid(), SIGKILL);
    return pass(operation->number, context, third);
}

static void on_trap(int signal, siginfo_t *told, void *registers) {
    (void)signal;
    int before = errno;
    ucontext_t *context = registers;
    RESULT(context) = perform(find(told->si_syscall), context);
    errno = before;
}

static void refuse(const char *what) {
    perror(what);
    _exit(125);
}

// load number; one comparison for each operation; then the sixth argument decides.
static void install_filter(void) {
    struct sock_filter code[OPERATION_COUNT + 6];
    struct sock_filter *next = code;
    *next++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t place = 0; place < OPERATION_COUNT; place++)
        *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OPERATIONS[place].number,
                                               OPERATION_COUNT - place, 0);
    *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    *next++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5]));
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PASS, 0, 1);
    *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    struct sock_fprog program = {.len = next - code, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) refuse("no new privileges");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) refuse("seccomp");
}

__attribute__((constructor)) static void start(void) {
    const char *folder = getenv("FAIL_BELOW"), *log = getenv("FAIL_LOG");
    if (!folder || !log) return;
    strncpy(below, folder, sizeof below - 1);
    nth = getenv("FAIL_NTH") ? (unsigned)atoi(getenv("FAIL_NTH")) : 0;
    kind = getenv("FAIL_KIND") ? getenv("FAIL_KIND")[0] : 0;
    int file = open(log, O_RDWR | O_CLOEXEC);
    if (file < 0) refuse("the log");
    operations = mmap(NULL, sizeof *operations, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (operations == MAP_FAILED) refuse("the log");
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_RESTART};
    if (sigaction(SIGSYS, &action, NULL)) refuse("the handler");
    install_filter();
}
