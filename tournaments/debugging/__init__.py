"""What `match --show` and `debug` tell of a bot, and the way into its debugger."""
