package main

import (
	"os"
	"strings"
	"testing"
)

// Holds the bot to conversation.txt: `>` is what it is sent, `<` what it must reply, `#` says why.
func TestRepliesAreThoseOfTheConversation(t *testing.T) {
	text, err := os.ReadFile("conversation.txt")
	if err != nil {
		t.Fatal(err)
	}
	bot := Bot{deck: "standard"}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "> ") {
			continue
		}
		expected := ""
		if strings.HasPrefix(lines[i+1], "< ") {
			expected = lines[i+1][2:]
		}
		reply, err := answer([]byte(line[2:]), bot.Decide)
		if err != nil || string(reply) != expected {
			t.Errorf("%s\nis answered with %q, and not with %q (%v)", line, reply, expected, err)
		}
	}
}
