package platform

import (
	"encoding/json"
	"net/url"
)

// PathText writes a value as a segment of a path.
func PathText(value any) string { return url.PathEscape(parameterText(value)) }

// WithQuery adds query parameters to a path: names, each with a value, which is nil for one that is not sent.
func WithQuery(path string, parameters ...any) string {
	query := url.Values{}
	for index := 0; index < len(parameters); index += 2 {
		name, value := parameters[index].(string), parameters[index+1]
		if text, err := json.Marshal(value); err == nil && string(text) != "null" {
			query.Set(name, parameterText(value))
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}
