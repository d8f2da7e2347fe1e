package main

import "example.com/toolshed/internal/platform"

// Settings has environment variables of this service, as env.Settings.
type Settings struct {
	// For how many days a tool is lent at most: MAX_DAYS.
	MaxDays int
}

func readSettings(environment *platform.Environment) Settings {
	return Settings{MaxDays: environment.Int("MAX_DAYS", 14, 1, 365)}
}
