package main

import "example.com/shop/internal/platform"

// Settings has a variable without a default.
type Settings struct{ MailKey string }

func readSettings(environment *platform.Environment) Settings {
	return Settings{MailKey: environment.Required("MAIL_KEY")}
}
