# The wire: a JSON object a line, requests on standard input, replies on standard output.
#
# A message with an id is a request and gets exactly one reply, which echoes the id. A message
# without one (fault, deal_end, match_end) gets none, but must be read as well.
#
# All of it is Bash's own: a bot in a box is one process, so it may start no other. $(...) is one,
# too; so a function gives what it has found in the variable $found.

LC_ALL=C # a character is a byte: several times as fast

declare -A message
# The last message, flat: ${message[rules.deck]}, ${message[bids.N]}. A list is words with a space
# between them: ${message[hand]} is "2C TC AS". Of a list of objects, ${message[tricks.0.cards]}.

# Reads a line of JSON into $message. A string keeps its escapes as they are written.
read_message() {
    local rest=$1 token
    message=()
    next_token
    store_value ""
}

# Takes what comes next from $rest into $token: a bracket, a string, or a word.
next_token() {
    local pattern='^[[:space:],:]*("([^"\\]|\\.)*"|[][{}]|[^][{}",:[:space:]]+)'
    if ! [[ $rest =~ $pattern ]]; then
        echo "this is no JSON: $rest" >&2
        exit 1
    fi
    token=${BASH_REMATCH[1]}
    rest=${rest:${#BASH_REMATCH[0]}}
}

# Stores the value that $token begins, at a path such as `rules.deck`.
store_value() {
    local path=$1 name number=0
    case $token in
    '{')
        while next_token && [[ $token != '}' ]]; do
            name=${token:1:-1}
            next_token
            store_value "${path:+$path.}$name"
        done
        ;;
    '[')
        message[$path]=""
        while next_token && [[ $token != ']' ]]; do
            if [[ $token == '{' || $token == '[' ]]; then
                store_value "$path.$number"
            else
                store_value "$path"
            fi
            number=$((number + 1))
        done
        ;;
    *)
        if [[ $token == '"'* ]]; then
            token=${token:1:-1}
        fi
        message[$path]+="${message[$path]:+ }$token"
        ;;
    esac
}

# Answers until standard input ends, which is the end of the match. `decide`, a function, finds
# the reply without its id: `"bid":3`, `"card":"AS"`, or nothing.
run() {
    local line
    while IFS= read -r line; do
        read_message "$line"
        found=""
        decide
        if [[ -n ${message[id]:-} ]]; then
            printf '{"id":%s%s}\n' "${message[id]}" "${found:+,$found}"
        fi
    done
}
