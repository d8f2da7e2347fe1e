package platform

import "strings"

// Parameters writes the query parameters of a list.
func (q ListQuery) Parameters() *Parameters {
	parameters := Page{Limit: q.Limit, IDIn: q.IDIn}.Parameters()
	if q.After != "" {
		parameters.values.Set("after", q.After)
	}
	if q.Sort != "" {
		parameters.values.Set("sort", q.Sort)
	}
	if q.Total {
		parameters.values.Set("total", "true")
	}
	return parameters
}

// Set adds a filter, if there is a value.
func Set[T any](p *Parameters, name string, value *T) {
	if value == nil {
		return
	}
	text := parameterText(*value)
	if text == "null" {
		// By itself, the text would ask for entities without a value.
		name += "[in]"
	}
	p.values.Set(name, text)
}

// SetMaybe adds a filter, if there is a value or NULL.
func SetMaybe[T any](p *Parameters, name string, value Maybe[T]) {
	if value.IsPresent() && value.Value() == nil {
		p.values.Set(name, "null")
	}
	Set(p, name, value.Value())
}

// SetIn adds a filter by several values, if there are any.
func SetIn[T any](p *Parameters, name string, values []T) {
	if values == nil {
		return
	}
	p.isEmpty = p.isEmpty || len(values) == 0
	texts := make([]string, len(values))
	for index, each := range values {
		texts[index] = parameterText(each)
	}
	p.values.Set(name, strings.Join(texts, ","))
}
