#!/usr/bin/env bash
# Holds the bot to conversation.txt: `>` is what it is sent, `<` what it must reply, `#` says why.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
sed -n 's/^> //p' conversation.txt | ./main.sh | diff -u <(sed -n 's/^< //p' conversation.txt) -
echo "the replies are those of the conversation"
