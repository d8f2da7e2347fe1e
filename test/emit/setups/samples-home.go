package main

import (
	"context"
	"net/http"
	"regexp"
	"strings"

	"example.com/shop/internal/platform"
)

var code = regexp.MustCompile(`^[A-Z]{2}-\d+$`)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	env.Hooks.BeforeCreate.Add(
		func(_ context.Context, _ *Env, request HomeRequest, _ *Home, _ platform.Caller) error {
			if !code.MatchString(request.Code) {
				return platform.HookError(http.StatusBadRequest, "The code is a country and a number")
			}
			if request.Beds%2 == 1 {
				return platform.HookError(http.StatusBadRequest, "Beds come in pairs")
			}
			return nil
		})
	env.Hooks.BeforeUpdate.Add(
		func(_ context.Context, _ *Env, request HomeRequest, _ *UpdateHome, _ platform.Caller) error {
			if !strings.HasPrefix(request.Address, "Lake") || request.Beds > 10 {
				return platform.HookError(http.StatusForbidden, "Too far from the lake: "+request.Address)
			}
			return nil
		})
	return nil
}
