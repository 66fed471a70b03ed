// The wire: a JSON object a line, requests on standard input, replies on standard output.
//
// A message with an id is a request and gets exactly one reply, which echoes the id. A message
// without one (fault, deal_end, match_end) gets none, but must be read as well.

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Message is what the arena sends, as far as this bot reads it; fields that are not here are
// ignored, and those that a type of message does not have are empty.
type Message struct {
	Type   string          `json:"type"`
	ID     *int64          `json:"id"` // nil: it wants no reply
	Rules  Rules           `json:"rules"`
	Seat   string          `json:"seat"`
	Hand   []string        `json:"hand"`
	Legal  json.RawMessage `json:"legal"` // bids or cards
	Bids   map[string]int  `json:"bids"`
	Score  map[string]int  `json:"score"`
	Count  int             `json:"count"`
	Trick  Trick           `json:"trick"`
	Tricks []Trick         `json:"tricks"`
	Taken  map[string]int  `json:"taken"`
}

// Rules are the options of the game, as far as this bot minds them.
type Rules struct {
	Deck string `json:"deck"`
}

// Trick has its cards in the order played.
type Trick struct {
	Cards []string `json:"cards"`
}

// Reply is what a bot answers: the id, and of the others what the request asks for.
type Reply struct {
	ID    int64    `json:"id"`
	Bid   *int     `json:"bid,omitempty"`
	Cards []string `json:"cards,omitempty"`
	Card  string   `json:"card,omitempty"`
}

// answer is the reply to a line, or nil where none is wanted.
func answer(line []byte, decide func(*Message) Reply) ([]byte, error) {
	var message Message
	// A message of a later version may have fields of these names and of other types: left empty.
	var otherType *json.UnmarshalTypeError
	if err := json.Unmarshal(line, &message); err != nil && !errors.As(err, &otherType) {
		return nil, fmt.Errorf("%w in %s", err, line)
	}
	reply := decide(&message)
	if message.ID == nil {
		return nil, nil
	}
	reply.ID = *message.ID
	return json.Marshal(reply)
}

// run answers until the input ends, which is the end of the match.
func run(input io.Reader, output io.Writer, decide func(*Message) Reply) error {
	lines := bufio.NewReader(input)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		reply, err := answer(line, decide)
		if err != nil {
			return err
		}
		if reply == nil {
			continue
		}
		if _, err := output.Write(append(reply, '\n')); err != nil {
			return err
		}
	}
}
