// The wire: a JSON object a line, requests on standard input, replies on standard output.
//
// A message with an id is a request and gets exactly one reply, which echoes the id. A message
// without one (fault, deal_end, match_end) gets none, but must be read as well.

#pragma once

#include <cstddef>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

// A value of JSON. Of the kinds that it isn't, it is empty.
struct Json {
    std::string text;  // a string, its escapes as they are written; or true, false, null, a number
    std::vector<Json> items;            // of an array
    std::map<std::string, Json> fields; // of an object

    bool has(const std::string &field) const { return fields.count(field) > 0; }

    const Json &operator[](const std::string &field) const {
        static const Json missing;
        auto found = fields.find(field);
        return found == fields.end() ? missing : found->second;
    }

    int number() const { return std::stoi(text); }

    std::vector<std::string> texts() const {
        std::vector<std::string> all;
        for (const Json &item : items)
            all.push_back(item.text);
        return all;
    }
};

class JsonReader {
public:
    explicit JsonReader(const std::string &line) : line(line) {}

    Json value() {
        Json found;
        switch (peek()) {
        case '{':
            for (next(); peek() != '}'; skip(',')) {
                std::string name = quoted();
                skip(':');
                found.fields[name] = value();
            }
            next();
            break;
        case '[':
            for (next(); peek() != ']'; skip(','))
                found.items.push_back(value());
            next();
            break;
        case '"':
            found.text = quoted();
            break;
        default:
            found.text = word();
        }
        return found;
    }

private:
    const std::string &line;
    std::size_t at = 0;

    char peek() { // what comes after white space
        at = line.find_first_not_of(" \t\r\n", at);
        if (at == std::string::npos)
            throw std::runtime_error("the line ends too early: " + line);
        return line[at];
    }

    char next() {
        char found = peek();
        at++;
        return found;
    }

    void skip(char separator) {
        if (peek() == separator)
            at++;
    }

    std::string quoted() {
        if (next() != '"')
            throw std::runtime_error("no string where one is expected: " + line);
        std::size_t begin = at;
        while (at < line.size() && line[at] != '"')
            at += line[at] == '\\' ? 2 : 1;
        return line.substr(begin, at++ - begin);
    }

    std::string word() {
        std::size_t begin = at;
        at = line.find_first_of(" \t\r\n,]}", at);
        if (at == std::string::npos || at == begin)
            throw std::runtime_error("this is no JSON: " + line);
        return line.substr(begin, at - begin);
    }
};

// Answers until standard input ends, which is the end of the match. `decide` takes a message and
// returns the reply without its id: `"bid":3`, `"card":"AS"`, or nothing.
template <typename Decide> void run(Decide decide) {
    for (std::string line; std::getline(std::cin, line);) {
        const Json message = JsonReader(line).value();
        const std::string decision = decide(message);
        if (!message.has("id"))
            continue;
        std::cout << "{\"id\":" << message["id"].text << (decision.empty() ? "" : ",") << decision
                  << "}" << std::endl; // endl flushes: what stays in a buffer never arrives
    }
}
