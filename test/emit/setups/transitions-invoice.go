package main

import (
	"context"
	"errors"
	"net/http"

	"example.com/shop/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	env.Hooks.BeforeUpdate.Add(func(
		_ context.Context, _ *Env, request InvoiceRequest, input *UpdateInvoice, _ platform.Caller,
	) error {
		if request.Title == "void it" {
			input.Status = new(InvoiceStatusVoid)
		}
		return nil
	})
	router.Handle("POST /invoice/{id}/pay", func(w http.ResponseWriter, r *http.Request) error {
		return change(w, r, env, UpdateInvoice{Status: new(InvoiceStatusPaid)},
			func(invoice Invoice) string { return string(invoice.Status) })
	})
	router.Handle("POST /invoice/{id}/review/{review}", func(w http.ResponseWriter, r *http.Request) error {
		return change(w, r, env, UpdateInvoice{Review: new(InvoiceReview(r.PathValue("review")))},
			func(invoice Invoice) string { return string(invoice.Review) })
	})
	router.Handle("POST /invoice/import", func(w http.ResponseWriter, r *http.Request) error {
		created, err := env.Datastore.CreateInvoice(r.Context(), Invoice{
			ID:     platform.NewID(),
			Title:  "old",
			Status: InvoiceStatusPaid,
			Size:   InvoiceSizeXl,
			Review: InvoiceReviewDone,
		}, platform.CallerOf(r.Context()).ID)
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, created.Status)
	})
	return nil
}

// change updates the invoice in the path, and responds with one of its values.
func change(
	w http.ResponseWriter, r *http.Request, env *Env, input UpdateInvoice, value func(Invoice) string,
) (err error) {
	if input.ID, err = platform.PathID(r, "id"); err != nil {
		return err
	}
	updated, err := env.Datastore.UpdateInvoice(r.Context(), input)
	if errors.Is(err, platform.ErrNotFound) {
		return platform.JSON(w, http.StatusOK, nil)
	}
	if err != nil {
		return err
	}
	return platform.JSON(w, http.StatusOK, value(updated))
}
