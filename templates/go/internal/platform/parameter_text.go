package platform

import "encoding/json"

// parameterText writes a value as in JSON, without quotes.
func parameterText(value any) string {
	quoted, err := json.Marshal(value)
	var text string
	if err != nil || json.Unmarshal(quoted, &text) != nil {
		return string(quoted)
	}
	return text
}
