import java.io.IOException;
import java.util.Map;

/** A Spades bot: what it does with each message. How it decides is in Strategy. */
final class Main {
    /** All that it remembers; a request carries the rest. */
    private String deck = "standard";

    /** The reply to a message, without its id. */
    String decide(Map<String, Object> message) {
        switch (String.valueOf(message.get("type"))) {
            case "hello":
                deck = (String) ((Map<?, ?>) message.get("rules")).get("deck");
                return "";
            case "bid":
                return "\"bid\":" + new Strategy(message, deck).chooseBid();
            case "exchange":
                String cards = String.join("\",\"", new Strategy(message, deck).choosePassed());
                return "\"cards\":[\"" + cards + "\"]";
            case "play":
                return "\"card\":\"" + new Strategy(message, deck).chooseCard() + "\"";
            default:
                return ""; // declines a blind nil, and what a later version may ask
        }
    }

    public static void main(String[] args) throws IOException {
        Wire.run(new Main()::decide);
    }
}
