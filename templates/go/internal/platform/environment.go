package platform

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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

// Bytes reads a size in the form of GOMEMLIMIT: 512MiB, or off for the largest one.
func (e *Environment) Bytes(name string, fallback int64) int64 {
	text := e.lookup(name)
	number := strings.TrimRight(text, "BKMGTi")
	shift, isUnit := map[string]int{"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[text[len(number):]]
	value, err := strconv.ParseInt(number, 10, 64)
	switch {
	case text == "":
		return fallback
	case text == "off":
		return math.MaxInt64
	case err != nil || !isUnit || value < 0 || value > math.MaxInt64>>shift:
		e.Reject(name, "must be a size such as 512MiB, or off")
	}
	return value << shift
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

// loadEnvFile sets the variables of the service's `.env`. Compose passes it on in base64, because its own way to read
// such files differs. Kubernetes mounts the file. What else the container sets takes precedence.
func loadEnvFile() error {
	variables := map[string]string{}
	if file := os.Getenv("ENV_FILE"); file != "" {
		content, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := parseEnvFile(variables, content, file); err != nil {
			return err
		}
	}
	content, err := base64.StdEncoding.DecodeString(os.Getenv("ENV_BASE64"))
	if err != nil {
		return errors.New("ENV_BASE64 is not base64")
	}
	if err := parseEnvFile(variables, content, ".env"); err != nil {
		return err
	}
	for name, value := range variables {
		if _, isSet := os.LookupEnv(name); isSet {
			continue
		}
		if err := os.Setenv(name, value); err != nil {
			return fmt.Errorf("cannot set the variable %s of .env", name)
		}
	}
	return nil
}

func parseEnvFile(variables map[string]string, content []byte, name string) error {
	if !utf8.Valid(content) {
		return fmt.Errorf("%s is not UTF-8 text", name)
	}
	// Editors on Windows may write a byte order mark.
	text := string(bytes.TrimPrefix(content, []byte("\uFEFF")))
	for rest := strings.ReplaceAll(text, "\r", ""); ; {
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return nil
		}
		line, _, _ := strings.Cut(rest, "\n")
		equals := strings.IndexByte(line, '=')
		if line[0] == '#' || equals < 0 {
			rest = rest[len(line):]
			continue
		}
		key := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line[:equals]), "export "))
		var value string
		value, rest = readValue(rest[equals+1:])
		if key != "" {
			variables[key] = value
		}
	}
}

// readValue reads a value as Node does: in quotes, with line breaks, or up to a comment. In double quotes, `\n` is a line
// break.
func readValue(text string) (value, rest string) {
	if strings.HasPrefix(text, "\n") {
		return "", text
	}
	text = strings.TrimSpace(text)
	line, after, _ := strings.Cut(text, "\n")
	if line == "" {
		return "", after
	}
	quote := line[:1]
	if !strings.Contains("\"'`", quote) {
		value, _, _ = strings.Cut(line, "#")
		return strings.TrimSpace(value), after
	}
	end := strings.Index(text[1:], quote)
	if end < 0 {
		return line, after
	}
	value = text[1 : 1+end]
	if quote == `"` {
		value = strings.ReplaceAll(value, `\n`, "\n")
	}
	_, rest, _ = strings.Cut(text[2+end:], "\n")
	return value, rest
}
