package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"example.com/shop/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	hooks := env.Hooks
	hooks.BeforeRegister.Add(beforeRegister)
	hooks.BeforeRegister.Add(
		func(_ context.Context, _ *Env, request Credentials, input *Registration, _ platform.Caller) error {
			if strings.HasPrefix(request.Email, "pepper") {
				input.Password += " pepper"
			}
			return nil
		})
	hooks.AfterRegister.Add(func(ctx context.Context, env *Env, auth *Result, caller platform.Caller) error {
		isSame := caller.ID == auth.ID && caller.Token == auth.AccessToken
		env.Log.InfoContext(ctx, "registered", "id", auth.ID, "same", isSame)
		if strings.HasPrefix(auth.Email, "late") {
			return platform.HookError(http.StatusTeapot, "Too late")
		}
		return nil
	})
	hooks.BeforeLogin.Add(
		func(_ context.Context, _ *Env, request Credentials, input *Credentials, _ platform.Caller) error {
			if strings.HasPrefix(request.Email, "alias") {
				input.Email = "real@example.org"
			}
			input.Email = strings.Replace(input.Email, "umlaut", "Ärger", 1)
			return nil
		})
	hooks.AfterLogin.Add(func(_ context.Context, _ *Env, auth *Result, _ platform.Caller) error {
		if strings.HasPrefix(auth.Email, "masked") {
			auth.AccessToken = "masked"
		}
		return nil
	})
	router.Handle("GET /auth/whoami", func(w http.ResponseWriter, r *http.Request) error {
		caller := platform.CallerOf(r.Context())
		if caller.ID == uuid.Nil {
			return platform.HookError(http.StatusUnauthorized, "Who?")
		}
		return platform.JSON(w, http.StatusOK, map[string]any{"id": caller.ID})
	})
	router.Handle("PUT /auth/password", env.changePassword)
	router.Handle("POST /auth/ticket", env.issueTicket)
	router.Handle("DELETE /auth/me", func(w http.ResponseWriter, r *http.Request) error {
		err := env.Datastore.DeleteAuth(r.Context(), platform.CallerOf(r.Context()).ID)
		if err != nil && !errors.Is(err, platform.ErrNotFound) {
			return err
		}
		return platform.JSON(w, http.StatusOK, err == nil)
	})
	router.Handle("GET /auth/all", func(w http.ResponseWriter, r *http.Request) error {
		accounts, err := env.Datastore.ListAuth(r.Context())
		if err != nil {
			return err
		}
		emails := []string{}
		for _, account := range accounts {
			emails = append(emails, account.Email)
		}
		return platform.JSON(w, http.StatusOK, emails)
	})
	return nil
}

func beforeRegister(
	_ context.Context, _ *Env, request Credentials, input *Registration, caller platform.Caller,
) error {
	switch {
	case strings.HasSuffix(request.Email, "@refused.org"):
		return platform.HookError(http.StatusUnprocessableEntity, "Not from there")
	case strings.HasPrefix(request.Email, "broken"):
		return errors.New("broken by a hook")
	case caller.ID != uuid.Nil:
		return errors.New("nobody is logged in yet")
	}
	input.Email = strings.Replace(strings.Replace(input.Email, "+tag", "", 1), "umlaut", "Ärger", 1)
	return nil
}

func (env *Env) issueTicket(w http.ResponseWriter, r *http.Request) error {
	var body struct{ Email string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return err
	}
	account, err := env.Datastore.FindAuth(r.Context(), body.Email)
	if err != nil {
		return err
	}
	token, err := env.IssueToken(account)
	if err != nil {
		return err
	}
	return platform.JSON(w, http.StatusOK, map[string]string{"AccessToken": token})
}

func (env *Env) changePassword(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	var body struct{ Password string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return err
	}
	account, err := env.Datastore.ReadAuth(ctx, platform.CallerOf(ctx).ID)
	if errors.Is(err, platform.ErrNotFound) {
		return platform.HookError(http.StatusNotFound, "Nobody")
	}
	if err != nil {
		return err
	}
	if account.PasswordHash, err = env.Passwords.Hash(body.Password); err != nil {
		return err
	}
	if _, err := env.Datastore.UpdateAuth(ctx, account); err != nil {
		return err
	}
	return platform.JSON(w, http.StatusOK, struct{}{})
}
