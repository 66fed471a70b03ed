/* A Spades bot: what it does with each message. How it decides is in strategy.h.
 *
 * A message with an id is a request and gets exactly one reply, which echoes the id. A message
 * without one (fault, deal_end, match_end) gets none, but must be read as well.
 */

#define _GNU_SOURCE
#include "message.h"
#include "strategy.h"

static void reply(void)
{
    printf("{\"id\":%s", asked.id);
    if (strcmp(asked.type, "bid") == 0)
        printf(",\"bid\":%d", choose_bid());
    else if (strcmp(asked.type, "exchange") == 0) {
        int passed[13], count = choose_passed(passed);

        printf(",\"cards\":[");
        for (int i = 0; i < count; i++)
            printf("%s\"%s\"", i ? "," : "", deck[passed[i]]);
        printf("]");
    } else if (strcmp(asked.type, "play") == 0)
        printf(",\"card\":\"%s\"", deck[choose_card()]);
    printf("}\n"); /* a blind nil is declined, and what a later version may ask */
    fflush(stdout); /* a reply that stays in a buffer never arrives, and the clock runs out */
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;

    set_deck("standard");
    while (getline(&line, &size, stdin) > 0) { /* its end is the end of the match */
        read_message(line);
        if (*asked.id)
            reply();
    }
    free(line);
    return 0;
}
