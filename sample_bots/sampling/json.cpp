#include "json.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace {
constexpr int DEEPEST = 64;  // deeper values read as nothing, rather than fill the stack
}

class Reader {
   public:
    explicit Reader(const char* at) : at_(at) {}

    Json value(int depth = 0) {
        Json found;
        skip_blanks();
        if (*at_ == '"') {
            found.text_ = string();
        } else if (*at_ == '{' && depth < DEEPEST) {
            for (at_++; more('}');) {
                std::string key = string();
                skip_blanks();
                if (*at_ == ':') at_++;
                found.members_.emplace_back(std::move(key), value(depth + 1));
            }
        } else if (*at_ == '[' && depth < DEEPEST) {
            for (at_++; more(']');) found.items_.push_back(value(depth + 1));
        } else {
            word(found);
        }
        return found;
    }

   private:
    void skip_blanks() { at_ += std::strspn(at_, " \t\r\n"); }

    // Steps over a comma or the closing bracket; false after that, and at the end of the text.
    bool more(char closing) {
        skip_blanks();
        if (*at_ == ',') at_++;
        skip_blanks();
        if (*at_ == closing) {
            at_++;
            return false;
        }
        return *at_ != '\0';
    }

    std::string string() {
        std::string found;
        if (*at_ != '"') {
            if (*at_) at_++;
            return found;
        }
        for (at_++; *at_ && *at_ != '"'; at_++) {
            if (*at_ == '\\' && at_[1]) at_++;  // no name of the protocol needs more than that
            found += *at_;
        }
        if (*at_) at_++;
        return found;
    }

    void word(Json& found) {
        const std::size_t length = std::strcspn(at_, ",]}: \t\r\n");
        char* end = nullptr;
        found.number_ = std::strtod(at_, &end);
        found.is_number_ = length && end == at_ + length && std::isfinite(found.number_);
        found.is_true_ = length == 4 && std::strncmp(at_, "true", 4) == 0;
        at_ += length ? length : *at_ != '\0';
    }

    const char* at_;
};

Json Json::read(const std::string& text) { return Reader(text.c_str()).value(); }

const Json& Json::operator[](const char* key) const {
    static const Json nothing;
    for (const auto& member : members_)
        if (member.first == key) return member.second;
    return nothing;
}

std::int64_t Json::integer(std::int64_t otherwise) const {
    const bool fits =
        is_number_ && std::abs(number_) < 9e15;  // 2^53, below which doubles are exact
    return fits ? static_cast<std::int64_t>(number_) : otherwise;
}
