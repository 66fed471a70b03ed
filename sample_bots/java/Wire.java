import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The wire: a JSON object a line, requests on standard input, replies on standard output.
 *
 * <p>A message with an id is a request and gets exactly one reply, which echoes the id. A message
 * without one (fault, deal_end, match_end) gets none, but must be read as well.
 */
final class Wire {
    private Wire() {}

    /** The reply to a line, or null where none is wanted; see {@link #run}. */
    static String answer(String line, Function<Map<String, Object>, String> decide) {
        @SuppressWarnings("unchecked")
        Map<String, Object> message = (Map<String, Object>) new Reader(line).value();
        String decision = decide.apply(message);
        if (!message.containsKey("id")) {
            return null;
        }
        return "{\"id\":" + message.get("id") + (decision.isEmpty() ? "" : ",") + decision + "}";
    }

    /**
     * Answers until standard input ends, which is the end of the match. `decide` takes a message and
     * returns the reply without its id: `"bid":3`, `"card":"AS"`, or nothing.
     */
    static void run(Function<Map<String, Object>, String> decide) throws IOException {
        PrintStream replies = System.out;
        System.setOut(System.err); // so println is for the log
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String reply = answer(line, decide);
            if (reply != null) {
                replies.print(reply + "\n");
                replies.flush(); // what stays in a buffer never arrives, and the clock runs out
            }
        }
    }

    /**
     * Reads JSON: an object is a map, an array a list, a string a text with its escapes as they are
     * written, an integer a Long, and anything else null.
     */
    private static final class Reader {
        private final String line;
        private int at;

        Reader(String line) {
            this.line = line;
        }

        Object value() {
            switch (peek()) {
                case '{':
                    Map<String, Object> fields = new LinkedHashMap<>();
                    for (at++; peek() != '}'; skip(',')) {
                        String name = quoted();
                        skip(':');
                        fields.put(name, value());
                    }
                    at++;
                    return fields;
                case '[':
                    List<Object> items = new ArrayList<>();
                    for (at++; peek() != ']'; skip(',')) {
                        items.add(value());
                    }
                    at++;
                    return items;
                case '"':
                    return quoted();
                default:
                    return word();
            }
        }

        /** What comes after white space. */
        private char peek() {
            while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
                at++;
            }
            if (at >= line.length()) {
                throw new IllegalArgumentException("the line ends too early: " + line);
            }
            return line.charAt(at);
        }

        private void skip(char separator) {
            if (peek() == separator) {
                at++;
            }
        }

        private String quoted() {
            if (peek() != '"') {
                throw new IllegalArgumentException("no string where one is expected: " + line);
            }
            int begin = ++at;
            while (at < line.length() && line.charAt(at) != '"') {
                at += line.charAt(at) == '\\' ? 2 : 1;
            }
            return line.substring(begin, at++);
        }

        private Long word() {
            int begin = at;
            while (at < line.length() && " \t\r\n,]}".indexOf(line.charAt(at)) < 0) {
                at++;
            }
            String word = line.substring(begin, at);
            if (word.isEmpty()) {
                throw new IllegalArgumentException("this is no JSON: " + line);
            }
            try {
                return Long.valueOf(word);
            } catch (NumberFormatException notAnInteger) {
                return null;
            }
        }
    }
}
