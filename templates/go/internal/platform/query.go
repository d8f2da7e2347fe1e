package platform

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// parameter is a query parameter.
type parameter struct{ name, value string }

// parametersOf reads all query parameters. url.ParseQuery would drop those with a semicolon or a malformed escape.
func parametersOf(r *http.Request) []parameter {
	var parameters []parameter
	query, _, _ := strings.Cut(r.URL.RawQuery, "#")
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		parameters = append(parameters, parameter{unescape(name), unescape(value)})
	}
	return parameters
}

func unescape(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// firstOf returns the value of a parameter, of several with one name the first.
func firstOf(parameters []parameter, name string) (string, bool) {
	index := slices.IndexFunc(parameters, func(p parameter) bool { return p.name == name })
	if index < 0 {
		return "", false
	}
	return parameters[index].value, true
}

// withPage replaces the page that parameters ask for.
func withPage(parameters []parameter, limit, after string) string {
	var pairs []string
	known := map[string]bool{}
	add := func(name, value string) {
		if !known[name] {
			pairs = append(pairs, escape(name)+"="+escape(value))
		}
		known[name] = true
	}
	for _, each := range parameters {
		switch each.name {
		case "limit":
			add("limit", limit)
		case "after":
			add("after", after)
		default:
			add(each.name, each.value)
		}
	}
	add("limit", limit)
	add("after", after)
	return strings.Join(pairs, "&")
}

// escape writes text as URLSearchParams does.
func escape(text string) string {
	return strings.NewReplacer("%2A", "*", "~", "%7E").Replace(url.QueryEscape(text))
}
