// One line of JSON, read into a tree.
//
// What is missing or of another type reads as nothing: 0, "", no items. So a message of a later
// version, with fields that nobody here has heard of, needs no special case anywhere.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

class Json {
   public:
    // The value that the text begins with; what is no JSON reads as nothing.
    static Json read(const std::string& text);

    const Json& operator[](const char* key) const;  // of an object
    const std::vector<Json>& items() const { return items_; }
    const std::vector<std::pair<std::string, Json>>& members() const { return members_; }
    const std::string& text() const { return text_; }
    double number(double otherwise = 0) const { return is_number_ ? number_ : otherwise; }
    std::int64_t integer(std::int64_t otherwise = 0) const;
    bool is_number() const { return is_number_; }
    bool is_true() const { return is_true_; }

   private:
    friend class Reader;

    std::vector<Json> items_;
    std::vector<std::pair<std::string, Json>> members_;
    std::string text_;
    double number_ = 0;
    bool is_number_ = false;
    bool is_true_ = false;
};
