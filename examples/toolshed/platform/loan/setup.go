package main

import (
	"context"
	"errors"
	"net/http"

	"example.com/toolshed/internal/platform"
	"example.com/toolshed/internal/toolclient"
)

// setup registers the hooks and routes of Loan.
func setup(_ context.Context, env *Env, router *platform.Router) error {
	env.Hooks.BeforeCreate.Add(
		func(ctx context.Context, env *Env, request LoanRequest, input *Loan, caller platform.Caller) error {
			if err := checkDays(request, env.Settings.MaxDays); err != nil {
				return err
			}
			if err := expectUsable(ctx, env, request, caller); err != nil {
				return err
			}
			return env.Datastore.ExpectFree(ctx, *input)
		})

	// Clients call it as POST /api/loan/{id}/return.
	router.Handle("POST /loan/{id}/return", func(w http.ResponseWriter, r *http.Request) error {
		ctx := r.Context()
		id, err := platform.PathID(r, "id")
		if err != nil {
			return err
		}
		if err := env.RequireWritable(ctx, id, platform.CallerOf(ctx)); err != nil {
			return err
		}
		returned, err := env.Datastore.ReturnLoan(ctx, id)
		if errors.Is(err, platform.ErrNotFound) {
			return platform.HookError(http.StatusConflict, "The tool was brought back before")
		}
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, returned)
	})
	return nil
}

// checkDays rejects a loan that ends before it begins, or that is too long.
func checkDays(request LoanRequest, maxDays int) error {
	switch lastPossible := request.FirstDay.AddDate(0, 0, maxDays-1); {
	case request.LastDay.Before(request.FirstDay.Time):
		return platform.HookError(http.StatusBadRequest, "lastDay must not be before firstDay")
	case request.LastDay.After(lastPossible):
		return platform.BadRequest("A tool is lent for at most %d days", maxDays)
	}
	return nil
}

// expectUsable rejects a loan of a broken tool.
func expectUsable(ctx context.Context, env *Env, request LoanRequest, caller platform.Caller) error {
	tool, err := env.Comm.Tool.Read(ctx, request.Tool, caller)
	if errors.Is(err, platform.ErrNotFound) {
		return platform.HookError(http.StatusBadRequest, "The tool no longer exists")
	}
	if err == nil && tool.Condition == toolclient.ToolConditionBroken {
		return platform.HookError(http.StatusConflict, "The tool is broken")
	}
	return err
}
