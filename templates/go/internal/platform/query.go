package platform

import (
	"encoding/json"
	"net/http"
	"slices"
)

// queryOf returns the query parameters of a request. QueryErr rejects those that have not been read.
func queryOf(r *http.Request) *Values {
	values := &Values{given: map[string]json.RawMessage{}, isQuery: true}
	for _, each := range parametersOf(r) {
		values.given[each.name] = textOf(each.value)
	}
	return values
}

// QueryErr returns what is wrong with the query parameters of a request, all of which have been read.
func (v *Values) QueryErr(r *http.Request) error {
	parameters := parametersOf(r)
	for index, each := range parameters {
		if !slices.Contains(v.read, each.name) {
			return BadRequest("Unknown query parameter %s", each.name)
		}
		if slices.ContainsFunc(parameters[index+1:], func(p parameter) bool { return p.name == each.name }) {
			return InvalidParameter(each.name, "must not be repeated")
		}
	}
	return v.Err()
}
