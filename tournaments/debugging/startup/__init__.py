"""What a bot's own Python runs before the bot, where `debug` has a terminal to hand it over to."""
