package platform

import (
	"encoding/json"
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

// ListQuery has the query parameters that every list with filters or orders has.
type ListQuery struct {
	// 0 for all.
	Limit int
	// An id or, in a sorted list, the cursor of a page.
	After string
	// An attribute, or with `-` before it for descending order. Empty for the order of ids.
	Sort string
	// Also counts the entities on all pages.
	Total bool
}

// ReadQuery reads the query parameters of a list. Others are rejected, so that a misspelled filter does not return
// everything. `filters` are the names of filters.
func ReadQuery(r *http.Request, sorts, filters []string) (ListQuery, *Values, error) {
	var query ListQuery
	values := &Values{given: map[string]json.RawMessage{}, isQuery: true}
	parameters := parametersOf(r)
	known := append([]string{"limit", "after", "total"}, filters...)
	if len(sorts) > 0 {
		known = append(known, "sort")
	}
	for index, each := range parameters {
		if !slices.Contains(known, each.name) {
			return query, nil, BadRequest("Unknown query parameter %s", each.name)
		}
		isSame := func(other parameter) bool { return other.name == each.name }
		if slices.ContainsFunc(parameters[index+1:], isSame) {
			return query, nil, InvalidParameter(each.name, "must not be repeated")
		}
		values.given[each.name] = textOf(each.value)
	}
	if values.Has("limit") {
		limit, err := limitOf(values.String("limit"))
		if err != nil {
			return query, nil, err
		}
		query.Limit = limit
	}
	query.After = values.orEmpty("after")
	if values.Has("total") {
		total := values.String("total")
		if query.Total = total == "true"; total != "true" && total != "false" {
			values.reject("total", "must be true or false")
		}
	}
	query.Sort = values.orEmpty("sort")
	if values.Has("sort") && !slices.Contains(sorts, query.Sort) {
		values.reject("sort", "must be one of "+strings.Join(sorts, ", "))
	}
	if values.Has("after") && query.After == "" && values.problem == nil {
		values.problem = invalidCursor(query.Sort)
	}
	return query, values, nil
}

func (v *Values) orEmpty(name string) string {
	if !v.Has(name) {
		return ""
	}
	return v.String(name)
}

func invalidCursor(sort string) error {
	if sort == "" {
		return InvalidParameter("after", "must be a UUID")
	}
	return InvalidParameter("after", "must come from a page in the same order")
}

// MaybeNull reads a value, or `null` for entities that have none.
func MaybeNull[T any](v *Values, name string, read func(v *Values, name string) T) Maybe[T] {
	switch {
	case !v.Has(name):
		return Maybe[T]{}
	case string(v.given[name]) == `"null"`:
		return Null[T]()
	}
	return Just(read(v, name))
}

// ListOf reads values with commas between them.
func ListOf[T any](v *Values, name string, read func(v *Values, name string) T) []T {
	if !v.Has(name) {
		return nil
	}
	var list []T
	for text := range strings.SplitSeq(v.String(name), ",") {
		one := &Values{given: map[string]json.RawMessage{name: textOf(text)}, isQuery: true}
		list = append(list, read(one, name))
		if one.problem != nil && v.problem == nil {
			v.problem = one.problem
		}
	}
	return list
}
