package platform

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Environment reads environment variables. Empty ones count as unset. Err names all invalid ones.
type Environment struct {
	lookup   func(name string) string
	problems []string
}

// NewEnvironment reads variables with a function: os.Getenv, or one of a test.
func NewEnvironment(lookup func(name string) string) *Environment {
	return &Environment{lookup: lookup}
}

// Err returns an error that names all variables that were read and are invalid.
func (e *Environment) Err() error {
	if len(e.problems) == 0 {
		return nil
	}
	return fmt.Errorf("invalid configuration: %s", strings.Join(e.problems, ", "))
}

// Reject tells what is wrong with a variable.
func (e *Environment) Reject(name, problem string) { e.problems = append(e.problems, name+" "+problem) }

// String reads a text.
func (e *Environment) String(name, fallback string) string {
	if value := e.lookup(name); value != "" {
		return value
	}
	return fallback
}

// Required reads a text without a default.
func (e *Environment) Required(name string) string {
	value := e.lookup(name)
	if value == "" {
		e.Reject(name, "is missing")
	}
	return value
}

// Int reads an integer within inclusive bounds.
func (e *Environment) Int(name string, fallback, low, high int) int {
	text := e.lookup(name)
	if text == "" {
		return fallback
	}
	value, err := strconv.Atoi(text)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		e.Reject(name, "must be an integer")
	case value < low:
		e.Reject(name, fmt.Sprintf("must be at least %d", low))
	case value > high:
		e.Reject(name, fmt.Sprintf("must be at most %d", high))
	}
	return value
}

// Milliseconds reads a duration.
func (e *Environment) Milliseconds(name string, fallback, low, high int) time.Duration {
	return time.Duration(e.Int(name, fallback, low, high)) * time.Millisecond
}

// Fraction reads a number from 0 to 1.
func (e *Environment) Fraction(name string, fallback float64) float64 {
	text := e.lookup(name)
	if text == "" {
		return fallback
	}
	value, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || strings.Trim(text, "0123456789.") != "":
		e.Reject(name, "must be a number from 0 to 1")
	case value > 1:
		e.Reject(name, "must be at most 1")
	}
	return value
}

// URL reads an address with one of the schemes.
func (e *Environment) URL(name, fallback string, schemes ...string) string {
	text := e.String(name, fallback)
	parsed, err := url.Parse(text)
	if err != nil || !slices.Contains(schemes, parsed.Scheme) {
		article := "a"
		if schemes[0] == "http" {
			article = "an"
		}
		e.Reject(name, fmt.Sprintf("must be %s %s URL", article, strings.Join(schemes, " or ")))
	}
	return text
}
