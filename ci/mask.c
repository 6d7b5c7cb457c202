/* Runs a command on a kernel that seems to have no Landlock: its three system calls answer ENOSYS.
 * Usage: mask COMMAND [ARGUMENT]...
 *
 * The three have the same numbers on every architecture. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#define FIRST 444 /* landlock_create_ruleset */
#define LAST 446  /* landlock_restrict_self */

int main(int count, char **arguments) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

    if (count < 2) {
        fputs("usage: mask COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("mask: prctl");
        return 2;
    }
    execvp(arguments[1], arguments + 1);
    perror(arguments[1]);
    return 127;
}
