package main

import (
	"context"
	"net/http"
	"strings"

	"example.com/shop/internal/platform"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	env.Hooks.BeforeRegister.Add(
		func(_ context.Context, _ *Env, request Credentials, _ *Registration, _ platform.Caller) error {
			if !strings.HasSuffix(strings.ToLower(request.Email), "@corp.example") {
				return platform.HookError(http.StatusForbidden, "Only employees can register")
			}
			return nil
		})
	return nil
}
