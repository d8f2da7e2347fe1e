package main

import (
	"context"

	"example.com/rent/internal/platform"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	env.Conflicts["booking_no_overlap"] = "The room is booked"
	env.Conflicts["booking_stays"] = "A stay has at least one night"
	return nil
}
