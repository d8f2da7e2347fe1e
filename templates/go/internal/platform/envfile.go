package platform

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"
)

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
