package main

import "example.com/library/internal/platform"

// Settings has environment variables of this service, as env.Settings. This file is yours: Portico never overwrites it.
type Settings struct{}

func readSettings(_ *platform.Environment) Settings { return Settings{} }
