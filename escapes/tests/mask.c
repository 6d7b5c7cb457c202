/* Runs a command on a kernel that seems to lack, refuse or fake one system call.
 * Usage: mask CALL ERRNO COMMAND [ARGUMENT]...
 * CALL is landlock_create_ruleset, landlock_add_rule, landlock_restrict_self, seccomp, no_new_privs,
 * death_signal, close_range, capset, prlimit64, setsid, rt_sigprocmask, dup3, execveat, clone3, mount, pivot_root, umount2 or
 * mount_setattr; ERRNO is ENOSYS, EOPNOTSUPP, EINVAL, EPERM or 0, with which the call claims success and does nothing.
 * Ends with 99 where the mask itself cannot be put on. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ANY (-1)

static const struct {
    const char *name;
    int number;
    int first_argument;
} calls[] = {
    {"landlock_create_ruleset", 444, ANY}, /* The same numbers on every architecture. */
    {"landlock_add_rule", 445, ANY},
    {"landlock_restrict_self", 446, ANY},
    {"seccomp", SYS_seccomp, ANY},
    {"no_new_privs", SYS_prctl, PR_SET_NO_NEW_PRIVS},
    {"death_signal", SYS_prctl, PR_SET_PDEATHSIG},
    {"close_range", SYS_close_range, ANY},
    {"capset", SYS_capset, ANY},
    {"prlimit64", SYS_prlimit64, ANY},
    {"setsid", SYS_setsid, ANY},
    {"rt_sigprocmask", SYS_rt_sigprocmask, ANY},
    {"dup3", SYS_dup3, ANY},
    {"execveat", SYS_execveat, ANY},
    {"clone3", SYS_clone3, ANY},
    {"mount", SYS_mount, ANY},
    {"pivot_root", SYS_pivot_root, ANY},
    {"umount2", SYS_umount2, ANY},
    {"mount_setattr", 442, ANY},
};

static const struct {
    const char *name;
    int number;
} answers[] = {{"ENOSYS", ENOSYS}, {"EOPNOTSUPP", EOPNOTSUPP}, {"EINVAL", EINVAL}, {"EPERM", EPERM}, {"0", 0}};

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

int main(int count, char **arguments) {
    size_t call = 0, answer = 0;
    if (count < 4) {
        return 99;
    }
    while (call < COUNT(calls) && strcmp(calls[call].name, arguments[1]) != 0) {
        call++;
    }
    while (answer < COUNT(answers) && strcmp(answers[answer].name, arguments[2]) != 0) {
        answer++;
    }
    if (call == COUNT(calls) || answer == COUNT(answers)) {
        return 99;
    }
    int any = calls[call].first_argument == ANY;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[call].number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[call].first_argument, 0, any ? 0 : 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | answers[answer].number),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {COUNT(filter), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("mask");
        return 99;
    }
    execvp(arguments[3], arguments + 3);
    perror(arguments[3]);
    return 99;
}
