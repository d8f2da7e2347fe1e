package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/fair/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	router.Handle("GET /home/own/here", func(w http.ResponseWriter, r *http.Request) error {
		return platform.JSON(w, http.StatusOK, map[string]any{"user": platform.CallerOf(r.Context()).ID})
	})
	env.Endpoints.Quote.Handle(quote)
	env.Endpoints.Near.Handle(near)
	env.Endpoints.Here.Handle(here)
	env.Endpoints.Webhook.Handle(webhook)
	env.Endpoints.Peek.Handle(func(
		ctx context.Context, env *Env, request PeekRequest, _ platform.Caller, _ *http.Request,
	) (PeekResponse, error) {
		home, err := env.Datastore.ReadHome(ctx, HomeID{ID: request.ID})
		return PeekResponse{Title: home.Title}, err
	})
	env.Endpoints.Assign.Handle(func(
		_ context.Context, _ *Env, request AssignRequest, _ platform.Caller, _ *http.Request,
	) (AssignResponse, error) {
		return AssignResponse{Owner: request.Owner}, nil
	})
	env.Endpoints.Link.Handle(func(
		_ context.Context, _ *Env, request LinkRequest, _ platform.Caller, _ *http.Request,
	) (LinkResponse, error) {
		return LinkResponse{Other: request.Other, Owner: request.Owner}, nil
	})
	env.Endpoints.Adjust.Handle(func(
		_ context.Context, _ *Env, request AdjustRequest, _ platform.Caller, _ *http.Request,
	) (AdjustResponse, error) {
		return AdjustResponse{Rate: request.Rate, Note: request.Note}, nil
	})
	env.Endpoints.Search.Handle(search)
	env.Endpoints.Cover.Handle(func(
		ctx context.Context, env *Env, request CoverRequest, _ platform.Caller, _ *http.Request,
	) (Photo, error) {
		if request.Number == 0 {
			return Photo{}, platform.HookError(http.StatusTeapot, "Not a number")
		}
		return photoOf(ctx, env, request.ID.String(), request.Photo)
	})
	env.Endpoints.Touch.Handle(func(
		_ context.Context, _ *Env, request TouchRequest, _ platform.Caller, _ *http.Request,
	) (TouchResponse, error) {
		return TouchResponse{Reason: request.Reason}, nil
	})
	env.Endpoints.Wrong.Handle(wrong)
	return nil
}

func quote(
	_ context.Context, _ *Env, request QuoteRequest, _ platform.Caller, _ *http.Request,
) (QuoteResponse, error) {
	coupon := "-"
	if request.Coupon != nil {
		coupon = *request.Coupon
	}
	switch coupon {
	case "none":
		return QuoteResponse{}, platform.HookError(http.StatusConflict, "No such coupon")
	case "broken":
		return QuoteResponse{}, errors.New("secret")
	}
	return QuoteResponse{
		Nights: request.Nights,
		From:   request.From,
		Seen:   fmt.Sprint(coupon, " ", request.Board, " ", request.Breakfast),
		Total:  platform.Decimal(fmt.Sprintf("%d0.00", request.Nights)),
	}, nil
}

func near(
	ctx context.Context, env *Env, request NearRequest, _ platform.Caller, _ *http.Request,
) (platform.PageResult[Home], error) {
	if request.After != "" {
		return platform.PageResult[Home]{}, nil
	}
	id, _ := platform.ParseID(request.Place)
	home, err := env.Datastore.ReadHome(ctx, HomeID{ID: id})
	page := platform.PageResult[Home]{Items: []Home{home}}
	if request.Limit == 1 {
		page.Next = "a&b=ü"
	}
	return page, err
}

func here(ctx context.Context, env *Env, _ HereRequest, _ platform.Caller, _ *http.Request) (Home, error) {
	homes, err := env.Datastore.ListHome(ctx, platform.Page{})
	if err != nil {
		return Home{}, err
	}
	homes[0].Title = "Here"
	return homes[0], nil
}

func webhook(
	_ context.Context, _ *Env, _ WebhookRequest, caller platform.Caller, r *http.Request,
) (WebhookResponse, error) {
	text, err := io.ReadAll(r.Body)
	response := WebhookResponse{Bytes: string(text)}
	if caller.Token != "" {
		response.User = new(caller.ID.String())
	}
	return response, err
}

func search(
	ctx context.Context, env *Env, request SearchRequest, _ platform.Caller, _ *http.Request,
) (platform.PageResult[Photo], error) {
	home, id, _ := strings.Cut(request.Words, " ")
	photo, err := photoOf(ctx, env, home, id)
	next := fmt.Sprint(request.Limit, " ", cmp.Or(request.After, "first"))
	return platform.PageResult[Photo]{Items: []Photo{photo}, Next: next}, err
}

func photoOf(ctx context.Context, env *Env, home, photo string) (Photo, error) {
	parse := func(text string) uuid.UUID {
		id, _ := platform.ParseID(text)
		return id
	}
	return env.Datastore.ReadPhoto(ctx, PhotoID{ID: parse(photo), ParentID: parse(home)})
}

func wrong(
	_ context.Context, _ *Env, request WrongRequest, _ platform.Caller, _ *http.Request,
) (WrongResponse, error) {
	response := WrongResponse{Code: "ok", At: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	switch request.How {
	case WrongHowLong:
		response.Code = "long"
	case WrongHowLocal:
		response.At = time.Date(2030, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	}
	return response, nil
}
