import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Holds the bot to conversation.txt: > is what it is sent, < what it must reply, # says why. */
final class ConversationTest {
    public static void main(String[] args) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("conversation.txt"));
        Main bot = new Main();
        int failures = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).startsWith("> ")) {
                continue;
            }
            String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
            String expected = next.startsWith("< ") ? next.substring(2) : null;
            String reply = Wire.answer(lines.get(i).substring(2), bot::decide);
            if (!Objects.equals(reply, expected)) {
                System.err.println(lines.get(i) + "\n  " + reply + ", and not " + expected);
                failures++;
            }
        }
        System.out.println(failures == 0 ? "the replies are those of the conversation" : "FAILED");
        System.exit(failures == 0 ? 0 : 1);
    }
}
