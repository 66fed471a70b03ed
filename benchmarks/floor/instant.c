/* A bot that answers at once: the first legal card or bid, found by plain string search.
 *
 * It plays a sound match: hello, and whatever else has an id, gets {"id":n}, which declines blind
 * nil and passes the lowest cards; what has no id gets nothing.
 */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ID "\"id\":"
#define LEGAL "\"legal\":["

static char received[1 << 20];

static void answer(const char *line)
{
    const char *id = strstr(line, ID);
    const char *legal = strstr(line, LEGAL);
    char reply[128];
    int length;

    if (id == NULL)
        return;
    id += sizeof ID - 1;
    length = snprintf(reply, sizeof reply, "{\"id\":%.*s", (int)strspn(id, "0123456789"), id);
    if (legal != NULL) {
        legal += sizeof LEGAL - 1;
        length += snprintf(reply + length, sizeof reply - length, ",\"%s\":%.*s",
                           *legal == '"' ? "card" : "bid", (int)strcspn(legal, ",]"), legal);
    }
    length += snprintf(reply + length, sizeof reply - length, "}\n");
    if (write(STDOUT_FILENO, reply, length) != length)
        _exit(1);
}

int main(void)
{
    size_t used = 0;
    ssize_t count;

    while ((count = read(STDIN_FILENO, received + used, sizeof received - used)) > 0) {
        char *line = received, *end;
        char *stop = received + used + count;
        while ((end = memchr(line, '\n', stop - line)) != NULL) {
            *end = '\0';
            answer(line);
            line = end + 1;
        }
        used = stop - line;
        memmove(received, line, used);
    }
    return 0;
}
