package platform

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// condition is a condition of a statement. Each `?` in it is one of the values.
type condition struct {
	sql  string
	args []any
}

// all is the condition that all of those hold that are not empty.
func all(conditions ...condition) condition {
	var parts []string
	var args []any
	for _, each := range conditions {
		if each.sql != "" {
			parts = append(parts, each.sql)
			args = append(args, each.args...)
		}
	}
	if len(parts) > 1 {
		return condition{"(" + strings.Join(parts, " and ") + ")", args}
	}
	return condition{strings.Join(parts, ""), args}
}

// Where collects the conditions of a list, all of which must hold.
type Where struct {
	access  condition
	filters []condition
	// The order of the index of a filter whose matches are not in the order of ids in it.
	indexOrder string
}

// Limit limits the list to what the caller has access to.
func (w *Where) Limit(sql string, values ...any) { w.access = condition{sql, values} }

// add adds a filter. Unless its matches are in the order of ids in the index of the column, that has an order of its own.
func (w *Where) add(sql, indexOrder string, values ...any) {
	w.filters = append(w.filters, condition{sql, values})
	w.indexOrder = cmp.Or(w.indexOrder, indexOrder)
}

// Filter compares a column with a value, if there is one.
func Filter[T any](w *Where, column, operator string, value *T) {
	switch {
	case value == nil:
	case operator == "=":
		w.add(column+" = ?", "", *value)
	default:
		w.add(column+" "+operator+" ?", column+" asc", *value)
	}
}

// FilterNull filters by NULL, if that is asked for.
func FilterNull[T any](w *Where, column string, value Maybe[T]) {
	if value.IsPresent() && value.Value() == nil {
		w.add(column+" is null", column+" asc")
	}
}

// FilterIn filters by any of the values, if there are any.
func FilterIn[T any](w *Where, column string, values []T) {
	if values == nil {
		return
	}
	var args []any
	for _, value := range values {
		args = append(args, value)
	}
	// No value is in a list of NULL.
	each := cmp.Or(strings.TrimSuffix(strings.Repeat("?, ", len(args)), ", "), "NULL")
	w.add(column+" in ("+each+")", column+" asc", args...)
}

// Search reads lists with filters or an order. The statements differ between queries and are not prepared, so Postgres
// plans them for their values.
type Search[T any] struct {
	// Lists without filters in the order of ids, which are prepared.
	Lists[T]
	// What is selected: the columns of rows or, where these may be large, their size.
	Table, Columns string
	// By attribute.
	Keys map[string]*Key[T]
}

// search is one search.
type search[T any] struct {
	Search[T]
	db   *DB
	sort string
	// nil in the order of ids.
	key   *Key[T]
	where *Where
}

// Read starts to read the entities that match a query.
func (s Search[T]) Read(ctx context.Context, db *DB, query ListQuery, where *Where) (*List[T], error) {
	if db == nil {
		return &List[T]{First: []T{}}, nil
	}
	key := s.Keys[strings.TrimPrefix(query.Sort, "-")]
	one := search[T]{s, db, query.Sort, key, where}
	start, err := one.readCursor(query.After)
	if err != nil {
		return nil, err
	}
	source := one.readRanges
	if query.IDIn != nil {
		// Rows with some ids are few, so the order of an index does not matter.
		where.filters = append(where.filters, condition{s.Table + `."id" = any(?)`, []any{query.IDIn}})
		where.indexOrder = ""
	}
	switch {
	case query.Sort == "" && !query.Total && len(where.filters) == 0:
		sql := s.List
		if where.access.sql != "" {
			sql = s.LimitedList
		}
		source = s.plain(db, sql, where.access.args...)
	case key == nil && where.indexOrder != "":
		source = one.readByIDs
	}
	list, err := s.read(ctx, db, query.Limit, start, source, one.at, one.cursorOf)
	if err != nil || !query.Total {
		return list, err
	}
	sql, args := statement("select count(*) from "+s.Table, one.matches(), "")
	count, err := Row(ctx, db, pgx.RowTo[int], sql, args...)
	list.header = http.Header{"X-Total-Count": {strconv.Itoa(count)}}
	return list, err
}

// matches is the condition of all rows that match.
func (s search[T]) matches() condition {
	return all(append([]condition{s.where.access}, s.where.filters...)...)
}

// statement returns a statement and its arguments. It is not prepared.
func statement(start string, where condition, end string, more ...any) (sql string, args []any) {
	if where.sql != "" {
		start += " where " + where.sql
	}
	parts := strings.Split(start+end, "?")
	for index := range parts[1:] {
		parts[index] += "$" + strconv.Itoa(index+1)
	}
	return strings.Join(parts, ""), slices.Concat([]any{pgx.QueryExecModeCacheDescribe}, where.args, more)
}

// slice reads a part of the list.
func (s search[T]) slice(ctx context.Context, where condition, order string, limit, offset int) (found part[T], err error) {
	end, more := " order by "+order+" limit ?", []any{limit}
	if offset > 0 {
		end, more = end+" offset ?", append(more, offset)
	}
	from := " from " + s.Table
	if s.Rows == "" {
		sql, args := statement("select "+s.Columns+from, where, end, more...)
		found.rows, err = Rows(ctx, s.db, s.Scan, sql, args...)
		return found, err
	}
	columns, scan := `"id", `+s.Columns, scanLargeRow
	if s.key != nil {
		columns, scan = `"id", `+s.key.column+", "+s.Columns, s.key.scan
	}
	sql, args := statement("select "+columns+from, where, end, more...)
	found.large, err = Rows(ctx, s.db, scan, sql, args...)
	return found, err
}

func (s search[T]) at(row *T) position {
	if s.key == nil {
		return position{s.ID(row), nil, true}
	}
	return position{s.ID(row), s.key.value(row), true}
}

func (p *part[T]) add(more part[T]) {
	p.rows = append(p.rows, more.rows...)
	p.large = append(p.large, more.large...)
}

// readRanges reads the rows after a position, which are ranges of the index, one after the other.
func (s search[T]) readRanges(ctx context.Context, after position, size int) (found part[T], err error) {
	for _, part := range s.rangesAfter(after) {
		if found.size() == size {
			break
		}
		rows, err := s.slice(ctx, all(s.matches(), part), s.order(), size-found.size(), 0)
		if err != nil {
			return found, err
		}
		found.add(rows)
	}
	return found, nil
}

// rangesAfter returns the conditions of the rows that come after a position.
func (s search[T]) rangesAfter(after position) []condition {
	id := s.Table + `."id"`
	switch {
	case !after.isSet:
		return []condition{{}}
	case s.key == nil:
		return []condition{{id + " > ?", []any{after.id}}}
	case after.value == nil:
		return []condition{{"(" + s.key.column + " is null and " + id + " > ?)", []any{after.id}}}
	}
	operator := " > ?"
	if s.sort[0] == '-' {
		operator = " < ?"
	}
	ranges := []condition{
		{"(" + s.key.column + " = ? and " + id + " > ?)", []any{after.value, after.id}},
		{s.key.column + operator, []any{after.value}},
	}
	if s.key.isNullable {
		ranges = append(ranges, condition{sql: s.key.column + " is null"})
	}
	return ranges
}

// order is the order of the list. NULL comes last.
func (s search[T]) order() string {
	id := s.Table + `."id" asc`
	switch {
	case s.key == nil:
		return id
	case s.sort[0] == '-':
		return s.key.column + " desc nulls last, " + id
	}
	return s.key.column + " asc, " + id
}

// How many rows are first read for each that is asked for.
const firstBudget = 10

// readByIDs reads matches in the order of ids, which their index does not have. Reading all rows in this order is fast
// if many match, unless those come late; sorting the matches is fast if they are few. Looks ever further for one of the
// two.
func (s search[T]) readByIDs(ctx context.Context, after position, size int) (found part[T], err error) {
	byID, matches := s.order(), s.matches()
	for budget := size * firstBudget; ; budget *= 4 {
		rest := s.rangesAfter(after)[0]
		end, err := s.slice(ctx, all(s.where.access, rest), byID, 1, budget)
		if err != nil {
			return found, err
		}
		var before condition
		if end.size() > 0 {
			after = end.last(s.at)
			before = condition{s.Table + `."id" <= ?`, []any{after.id}}
		}
		rows, err := s.slice(ctx, all(matches, rest, before), byID, size-found.size(), 0)
		if err != nil {
			return found, err
		}
		found.add(rows)
		if end.size() == 0 || found.size() == size {
			return found, nil
		}
		further := all(matches, s.rangesAfter(after)[0])
		next, err := s.slice(ctx, further, s.where.indexOrder, 1, budget*4)
		if err != nil {
			return found, err
		}
		if next.size() > 0 {
			continue
		}
		// Not the ids themselves, so that Postgres does not read all rows in their order.
		last, err := s.slice(ctx, further, s.Table+`."id"::text collate "C"`, size-found.size(), 0)
		found.add(last)
		return found, err
	}
}
