/* The least that a table can cost: pipes to four bots, a line out and a line back, and no rules.
 *
 *     floor BOT CORE DECISIONS
 *
 * Sends a request as long as a real one to each of four processes of BOT in turn, all of them and
 * itself on one core, and reads a line of reply to each. Prints the nanoseconds that it took, and
 * those of its own processor time, as JSON.
 */

#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEATS 4

struct bot {
    pid_t pid;
    int in, out;
};

/* From the middle of a deal. */
static const char REQUEST[] =
    "{\"type\":\"play\",\"id\":%ld,\"deal\":1,\"seat\":\"S\",\"dealer\":\"N\",\"hand\":[\"6C\","
    "\"7C\",\"QC\",\"4H\",\"7H\",\"JH\",\"2S\"],\"legal\":[\"6C\",\"7C\",\"QC\"],\"bids\":{\"E\":"
    "3,\"S\":2,\"W\":2,\"N\":2},\"blind\":[],\"trick\":{\"leader\":\"W\",\"cards\":[\"9C\"]},"
    "\"tricks\":[{\"leader\":\"E\",\"cards\":[\"9D\",\"6D\",\"KD\",\"3D\"],\"winner\":\"W\"},"
    "{\"leader\":\"W\",\"cards\":[\"9C\",\"2C\",\"KC\",\"6C\"],\"winner\":\"E\"},{\"leader\":\"E"
    "\",\"cards\":[\"JC\",\"7C\",\"AC\",\"TC\"],\"winner\":\"W\"}],\"taken\":{\"N\":0,\"E\":1,"
    "\"S\":0,\"W\":2},\"broken\":false,\"exchange\":null,\"score\":{\"NS\":0,\"EW\":0},\"bags\":{"
    "\"NS\":0,\"EW\":0},\"clock\":{\"move_ms\":1000.0,\"bank_ms\":null,\"last_ms\":0.005}}\n";

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static long long nanoseconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static struct bot start(const char *program)
{
    struct bot bot;
    int to[2], from[2];

    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
        fail("pipe");
    bot.pid = fork();
    if (bot.pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    if (bot.pid < 0)
        fail("fork");
    close(to[0]);
    close(from[1]);
    bot.in = to[1];
    bot.out = from[0];
    return bot;
}

static void ask(const struct bot *bot, long id)
{
    char line[1024];
    int length = snprintf(line, sizeof line, REQUEST, id);
    size_t used = 0;

    if (write(bot->in, line, length) != length)
        fail("write");
    do {
        ssize_t count = read(bot->out, line + used, sizeof line - used);
        if (count <= 0)
            fail("read");
        used += count;
    } while (line[used - 1] != '\n');
}

int main(int argc, char **argv)
{
    struct bot bots[SEATS];
    cpu_set_t core;
    long decisions;
    long long wall, cpu;

    if (argc != 4) {
        fprintf(stderr, "usage: floor BOT CORE DECISIONS\n");
        return 2;
    }
    decisions = atol(argv[3]);
    CPU_ZERO(&core);
    CPU_SET(atoi(argv[2]), &core);
    if (sched_setaffinity(0, sizeof core, &core))
        fail("sched_setaffinity");
    for (int i = 0; i < SEATS; i++) {
        bots[i] = start(argv[1]);
        ask(&bots[i], 0);
    }
    wall = nanoseconds(CLOCK_MONOTONIC);
    cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < decisions; i++)
        ask(&bots[i % SEATS], i);
    cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    wall = nanoseconds(CLOCK_MONOTONIC) - wall;
    for (int i = 0; i < SEATS; i++) {
        close(bots[i].in);
        waitpid(bots[i].pid, NULL, 0);
    }
    printf("{\"decisions\": %ld, \"wall_ns\": %lld, \"cpu_ns\": %lld}\n", decisions, wall, cpu);
    return 0;
}
