package main

import (
	"context"
	"net/http"

	"example.com/desk/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	env.Hooks.Book.BeforeList.Add(func(_ context.Context, _ *Env, input *BookQuery, _ platform.Caller) error {
		if input.Sort == "" {
			input.Sort = "-year"
		}
		input.LostOn = platform.Null[platform.Date]()
		if input.Genre != nil && *input.Genre == "novel" && (input.Limit == 0 || input.Limit > 300) {
			input.Limit = 300
		}
		return nil
	})
	router.Handle("GET /shelf/{id}/novels", func(w http.ResponseWriter, r *http.Request) error {
		parent, err := platform.PathID(r, "id")
		if err != nil {
			return err
		}
		query := BookQuery{ParentID: parent, Genre: new("novel"), Note: platform.Null[string]()}
		query.Sort, query.Limit = "year", 3
		books, err := env.Datastore.ListBook(r.Context(), query)
		if err != nil {
			return err
		}
		years := []int{}
		for _, book := range books {
			years = append(years, book.Year)
		}
		return platform.JSON(w, http.StatusOK, years)
	})
	return nil
}
