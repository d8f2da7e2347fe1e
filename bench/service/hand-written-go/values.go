package main

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// date is a day, in JSON as 2006-01-02.
type date struct{ time.Time }

func (d date) MarshalJSON() ([]byte, error) { return d.AppendFormat(nil, `"`+time.DateOnly+`"`), nil }

func (d *date) UnmarshalJSON(text []byte) (err error) {
	d.Time, err = time.Parse(`"`+time.DateOnly+`"`, string(text))
	return err
}

// checkText rejects text that is missing, empty, too long, or that Postgres cannot store.
func checkText(name string, text *string, maxLength int) error {
	switch {
	case text == nil:
		return badRequest(name + " is missing")
	case *text == "" || utf8.RuneCountInString(*text) > maxLength:
		return badRequest(name + " must have 1 to " + strconv.Itoa(maxLength) + " characters")
	case strings.Contains(*text, "\x00"):
		return badRequest(name + " must not contain U+0000")
	}
	return nil
}
