package platform

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

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
