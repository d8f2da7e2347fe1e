package platform

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Where collects the conditions of a statement, all of which must hold, with their values.
type Where struct {
	conditions []string
	args       []any
	// The column of a filter whose matches are not in the order of ids in its index: all but those of one value.
	scattered string
}

// Add adds a condition. Each `?` in it is one of the values.
func (w *Where) Add(condition string, values ...any) {
	parts := strings.Split(condition, "?")
	var text strings.Builder
	for index, part := range parts {
		if index > 0 {
			w.args = append(w.args, values[index-1])
			fmt.Fprintf(&text, "$%d", len(w.args))
		}
		text.WriteString(part)
	}
	w.conditions = append(w.conditions, text.String())
}

// AddEqual adds the condition that a column has a value, if there is one.
func AddEqual[T any](w *Where, column string, value *T) {
	if value != nil {
		w.Add(column+" = ?", *value)
	}
}

// AddMaybe adds the condition that a column has a value or is NULL, if there is one.
func AddMaybe[T any](w *Where, column string, value Maybe[T]) {
	given := value.Value()
	if value.IsPresent() && given == nil {
		w.Add(column + " is null")
		w.scatter(column)
	}
	AddEqual(w, column, given)
}

// AddBound adds the condition that a column compares with a value, if there is one.
func AddBound[T any](w *Where, column, operator string, value *T) {
	if value != nil {
		w.Add(column+" "+operator+" ?", *value)
		w.scatter(column)
	}
}

// AddIn adds the condition that a column has one of the values, if there are any.
func AddIn[T any](w *Where, column string, values []T) {
	if values != nil {
		w.Add(column+" = any(?)", values)
		w.scatter(column)
	}
}

func (w *Where) scatter(column string) {
	if w.scattered == "" {
		w.scattered = column
	}
}

func (w *Where) sql() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return " where " + strings.Join(w.conditions, " and ")
}

func (w *Where) copy() *Where {
	return &Where{slices.Clone(w.conditions), slices.Clone(w.args), w.scattered}
}

func (w *Where) with(condition string, values ...any) *Where {
	copied := w.copy()
	copied.Add(condition, values...)
	return copied
}

// Sort is an attribute that sorts a list.
type Sort[T any] struct {
	column     string
	isNullable bool
	// Returns nil for NULL.
	value func(*T) any
	// Reads a value of a cursor.
	read func(v *Values) any
	// Returns a target to scan the column into, and what reads the value from it.
	scan func() (target any, value func() any)
}

// SortBy sorts by a column. `value` returns nil for NULL.
func SortBy[T, V any](column string, isNullable bool, value func(*T) *V, read func(v *Values, name string) V) Sort[T] {
	anyOf := func(pointer *V) any {
		if pointer == nil {
			return nil
		}
		return *pointer
	}
	return Sort[T]{
		column:     column,
		isNullable: isNullable,
		value:      func(row *T) any { return anyOf(value(row)) },
		read:       func(v *Values) any { return read(v, "value") },
		scan: func() (any, func() any) {
			target := new(*V)
			return target, func() any { return anyOf(*target) }
		},
	}
}

// Search reads lists with filters or an order. The statements differ between queries and are not prepared, so Postgres
// plans them for their values.
type Search[T any] struct {
	Table, Columns string
	Scan           pgx.RowToFunc[T]
	ID             func(*T) uuid.UUID
	// By attribute.
	Sorts map[string]Sort[T]
	// The expression of the size of a row, for rows that may be large.
	Size string
}

// position is a place in an order: an id, and the value of the attribute that sorts the list.
type position struct {
	isSet bool
	value any
	id    uuid.UUID
}

// order is the order of a list.
type order[T any] struct {
	name         string
	sort         Sort[T]
	isSorted     bool
	isDescending bool
}

func (s Search[T]) orderOf(name string) order[T] {
	attribute, isDescending := strings.CutPrefix(name, "-")
	sort, isSorted := s.Sorts[attribute]
	return order[T]{name, sort, isSorted, isDescending}
}

func (s Search[T]) idColumn() string { return s.Table + `."id"` }

// Read starts to read the entities that match a query. Plain queries are answered by `plain`, which may be prepared.
func (s Search[T]) Read(
	ctx context.Context, db *DB, query ListQuery, where *Where, hasFilters bool,
	plain func(page Page) (*List[T], error),
) (*List[T], error) {
	if page, isPage := query.page(); isPage && !hasFilters {
		return plain(page)
	}
	order := s.orderOf(query.Sort)
	start, err := s.readCursor(query, order)
	if err != nil {
		return nil, err
	}
	list, err := readPages(ctx, query.Limit, start, s.source(db, where, order), func(last position) string {
		return cursorOf(last, order)
	})
	if err != nil || !query.Total {
		return list, err
	}
	count, err := Row(ctx, db, pgx.RowTo[int], "select count(*) from "+s.Table+where.sql(), unprepared(where.args)...)
	list.header = map[string]string{"X-Total-Count": strconv.Itoa(count)}
	return list, err
}

func unprepared(args []any) []any { return append([]any{pgx.QueryExecModeCacheDescribe}, args...) }

// keyed is a row, or the id and size of a large one, with its place in the order.
type keyed[T any] struct {
	row   T
	at    position
	bytes int
}

// slice is a part of a list.
type slice struct {
	where         *Where
	order         string
	limit, offset int
}

// source reads the parts of a list.
func (s Search[T]) source(db *DB, where *Where, order order[T]) Source[T, position] {
	read := s.reader(db, order)
	return func(ctx context.Context, after position, size int) (Chunk[T, position], error) {
		var rows []keyed[T]
		var err error
		if !order.isSorted && where.scattered != "" {
			rows, err = s.readByIDs(ctx, read, where, after, size+1)
		} else {
			rows, err = s.readRanges(ctx, read, where, order, after, size+1)
		}
		if err != nil || len(rows) == 0 {
			return Chunk[T, position]{}, err
		}
		chunk := Chunk[T, position]{isMore: len(rows) > size}
		rows = rows[:min(len(rows), size)]
		chunk.last = rows[len(rows)-1].at
		if s.Size == "" {
			found := make([]T, len(rows))
			for index, each := range rows {
				found[index] = each.row
			}
			chunk.batches = []Batch[T]{func() ([]T, error) { return found, nil }}
			return chunk, nil
		}
		sizes := make([]Size, len(rows))
		for index, each := range rows {
			sizes[index] = Size{each.at.id, each.bytes}
		}
		chunk.batches = batchesBySize(ctx, sizes, s.ID, func(ctx context.Context, ids []uuid.UUID) ([]T, error) {
			return Rows(ctx, db, s.Scan, "select "+s.Columns+" from "+s.Table+" where "+s.idColumn()+" = any($1)", ids)
		})
		return chunk, nil
	}
}

// reader returns what reads a slice.
func (s Search[T]) reader(db *DB, order order[T]) func(context.Context, slice) ([]keyed[T], error) {
	columns := s.Columns
	if s.Size != "" {
		columns = `"id", ` + s.Size
		if order.isSorted {
			columns += ", " + order.sort.column
		}
	}
	scan := func(row pgx.CollectableRow) (found keyed[T], err error) {
		if s.Size == "" {
			found.row, err = s.Scan(row)
			if err == nil {
				found.at = order.positionOf(&found.row, s.ID(&found.row))
			}
			return found, err
		}
		found.at.isSet = true
		targets := []any{&found.at.id, &found.bytes}
		if !order.isSorted {
			return found, row.Scan(targets...)
		}
		target, value := order.sort.scan()
		err = row.Scan(append(targets, target)...)
		found.at.value = value()
		return found, err
	}
	return func(ctx context.Context, part slice) ([]keyed[T], error) {
		sql := "select " + columns + " from " + s.Table + part.where.sql() + " order by " + part.order +
			" limit " + strconv.Itoa(part.limit) + " offset " + strconv.Itoa(part.offset)
		return Rows(ctx, db, scan, sql, unprepared(part.where.args)...)
	}
}

func (o order[T]) positionOf(row *T, id uuid.UUID) position {
	if !o.isSorted {
		return position{true, nil, id}
	}
	return position{true, o.sort.value(row), id}
}

func (s Search[T]) orderBy(order order[T]) string {
	switch {
	case !order.isSorted:
		return s.idColumn() + " asc"
	case order.isDescending:
		return order.sort.column + " desc nulls last, " + s.idColumn() + " asc"
	default:
		return order.sort.column + " asc, " + s.idColumn() + " asc"
	}
}

// readRanges reads the rows after a position, which are ranges of the index, one after the other.
func (s Search[T]) readRanges(
	ctx context.Context, read func(context.Context, slice) ([]keyed[T], error), where *Where, order order[T],
	after position, size int,
) (found []keyed[T], err error) {
	for _, part := range s.rangesAfter(after, where, order) {
		if len(found) == size {
			break
		}
		rows, err := read(ctx, slice{where: part, order: s.orderBy(order), limit: size - len(found)})
		if err != nil {
			return nil, err
		}
		found = append(found, rows...)
	}
	return found, nil
}

func (s Search[T]) rangesAfter(after position, where *Where, order order[T]) []*Where {
	id, column := s.idColumn(), order.sort.column
	switch {
	case !after.isSet:
		return []*Where{where}
	case !order.isSorted:
		return []*Where{where.with(id+" > ?", after.id)}
	case after.value == nil:
		return []*Where{where.with("("+column+" is null and "+id+" > ?)", after.id)}
	}
	operator := ">"
	if order.isDescending {
		operator = "<"
	}
	ranges := []*Where{
		where.with("("+column+" = ? and "+id+" > ?)", after.value, after.id),
		where.with(column+" "+operator+" ?", after.value),
	}
	if order.sort.isNullable {
		ranges = append(ranges, where.with(column+" is null"))
	}
	return ranges
}

// How many rows are first read for each that is asked for.
const firstBudget = 10

// readByIDs reads matches in the order of ids, which their index does not have. Reading all rows in this order is fast
// if many match, unless those come late; sorting the matches is fast if they are few. Looks ever further for one of the
// two.
func (s Search[T]) readByIDs(
	ctx context.Context, read func(context.Context, slice) ([]keyed[T], error), where *Where, after position, size int,
) (found []keyed[T], err error) {
	id := s.idColumn()
	byID := id + " asc"
	all := &Where{}
	for budget := size * firstBudget; ; budget *= 4 {
		rest, matches := all, where
		if after.isSet {
			rest, matches = all.with(id+" > ?", after.id), where.with(id+" > ?", after.id)
		}
		end, err := read(ctx, slice{where: rest, order: byID, limit: 1, offset: budget})
		if err != nil {
			return nil, err
		}
		before := matches
		if len(end) > 0 {
			before = matches.with(id+" <= ?", end[0].at.id)
		}
		rows, err := read(ctx, slice{where: before, order: byID, limit: size - len(found)})
		if err != nil {
			return nil, err
		}
		found = append(found, rows...)
		if len(end) == 0 || len(found) == size {
			return found, nil
		}
		after = end[0].at
		matches = where.with(id+" > ?", after.id)
		further, err := read(ctx, slice{where: matches, order: where.scattered + " asc", limit: 1, offset: budget * 4})
		if err != nil {
			return nil, err
		}
		if len(further) > 0 {
			continue
		}
		// Not the ids themselves, so that Postgres does not read all rows in their order.
		last, err := read(ctx, slice{where: matches, order: id + `::text collate "C"`, limit: size - len(found)})
		return append(found, last...), err
	}
}

// cursorOf writes a position as text that is opaque to clients; in the order of ids, it is the id.
func cursorOf[T any](at position, order order[T]) string {
	if !order.isSorted {
		return at.id.String()
	}
	text, _ := json.Marshal([]any{order.name, at.value, at.id})
	return base64.RawURLEncoding.EncodeToString(text)
}

func (s Search[T]) readCursor(query ListQuery, order order[T]) (position, error) {
	if query.After == "" {
		return position{}, nil
	}
	if !order.isSorted {
		id, isValid := ParseID(query.After)
		if !isValid {
			return position{}, invalidCursor("")
		}
		return position{true, nil, id}, nil
	}
	invalid := invalidCursor(query.Sort)
	text, err := base64.RawURLEncoding.DecodeString(query.After)
	var parts []json.RawMessage
	if err != nil || json.Unmarshal(text, &parts) != nil || len(parts) != 3 {
		return position{}, invalid
	}
	values := &Values{given: map[string]json.RawMessage{"sort": parts[0], "value": parts[1], "id": parts[2]}}
	at := position{isSet: true, id: values.ID("id")}
	if values.Has("value") || !order.sort.isNullable {
		at.value = order.sort.read(values)
	}
	if values.String("sort") != query.Sort || values.Err() != nil {
		return position{}, invalid
	}
	return at, nil
}
