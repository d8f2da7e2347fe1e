package main

import (
	"context"
	"errors"
	"net/http"

	"example.com/fair/internal/homeclient"
	"example.com/fair/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	router.Handle("GET /agency/calls/{home}/{photo}", func(w http.ResponseWriter, r *http.Request) error {
		answer, err := calls(r, env.Comm.Home)
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, answer)
	})
	return nil
}

func calls(r *http.Request, home *homeclient.Client) (map[string]any, error) {
	ctx, caller := r.Context(), platform.CallerOf(r.Context())
	id, err := platform.PathID(r, "home")
	if err != nil {
		return nil, err
	}
	photo, err := platform.PathID(r, "photo")
	if err != nil {
		return nil, err
	}
	quote, err := home.Quote(ctx, homeclient.QuoteRequest{
		ID: id, Nights: 2, Coupon: new("a/b &"), Board: new(homeclient.QuoteBoardHalf),
	}, caller)
	if err != nil {
		return nil, err
	}
	near, err := home.Near(ctx, homeclient.NearRequest{Place: id.String(), Limit: new(1)}, caller)
	if err != nil {
		return nil, err
	}
	webhook, err := home.Webhook(ctx, homeclient.WebhookRequest{Kind: "ping"}, caller)
	if err != nil {
		return nil, err
	}
	words := id.String() + " " + photo.String()
	search, err := home.Search(ctx, homeclient.SearchRequest{Words: words, Limit: new(5)}, caller)
	if err != nil {
		return nil, err
	}
	cover, err := home.Cover(ctx, homeclient.CoverRequest{ID: id, Photo: photo.String(), Number: 3}, caller)
	if err != nil {
		return nil, err
	}
	adjust, err := home.Adjust(ctx, homeclient.AdjustRequest{ID: id, Rate: "1.5"}, caller)
	if err != nil {
		return nil, err
	}
	touch, err := home.Touch(ctx, homeclient.TouchRequest{ID: id, Reason: new("null")}, caller)
	if err != nil {
		return nil, err
	}
	_, missing := home.Quote(ctx, homeclient.QuoteRequest{ID: photo, Nights: 1}, caller)
	if !errors.Is(missing, platform.ErrNotFound) {
		return nil, missing
	}
	_, refused := home.Quote(ctx, homeclient.QuoteRequest{ID: id}, caller)
	return map[string]any{
		"quote":   quote,
		"near":    []string{near[0].Title},
		"webhook": *webhook.User == caller.ID.String(),
		"search":  []bool{search[0].ID == photo},
		"cover":   cover.ID == photo,
		"adjust":  adjust,
		"touch":   touch,
		"missing": nil,
		"refused": refused.Error(),
	}, nil
}
