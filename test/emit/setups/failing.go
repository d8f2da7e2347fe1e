package main

import (
	"context"
	"errors"

	"example.com/p/internal/platform"
)

func setup(_ context.Context, _ *Env, _ *platform.Router) error { return errors.New("No such queue") }
