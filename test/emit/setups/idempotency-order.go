package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"example.com/shop/internal/platform"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	var calls atomic.Int64
	env.Hooks.BeforeCreate.Add(func(
		_ context.Context, _ *Env, request OrderRequest, _ *Order, _ platform.Caller,
	) error {
		count := calls.Add(1)
		switch {
		case strings.HasPrefix(request.Name, "Refused"):
			return platform.HookError(http.StatusConflict, fmt.Sprintf("Refused %d", count))
		case strings.HasPrefix(request.Name, "Failed") && count%2 == 1:
			return errors.New("failed")
		case strings.HasPrefix(request.Name, "Slow"):
			time.Sleep(500 * time.Millisecond)
		}
		return nil
	})
	return nil
}
