package main

import (
	"context"
	"fmt"
	"time"

	"example.com/p/internal/platform"
)

func setup(_ context.Context, _ *Env, _ *platform.Router) error {
	fmt.Println("in setup")
	time.Sleep(time.Minute)
	return nil
}
