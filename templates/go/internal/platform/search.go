package platform

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
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

// add adds a filter. Its index has an order of its own, unless that is empty.
func (w *Where) add(sql, indexOrder string, values ...any) {
	w.filters = append(w.filters, condition{sql, values})
	if w.indexOrder == "" {
		w.indexOrder = indexOrder
	}
}

// Filter adds a filter for a value, if there is one.
func Filter[T any](w *Where, sql, indexOrder string, value *T) {
	if value != nil {
		w.add(sql, indexOrder, *value)
	}
}

// FilterNull adds the filter for NULL, if that is asked for.
func FilterNull[T any](w *Where, sql, indexOrder string, value Maybe[T]) {
	if value.IsPresent() && value.Value() == nil {
		w.add(sql, indexOrder)
	}
}

// FilterIn adds a filter for any of the values, if there are any.
func FilterIn[T any](w *Where, sql, indexOrder string, values []T) {
	if values == nil {
		return
	}
	var args []any
	for _, value := range values {
		args = append(args, value)
	}
	// No value is in a list of NULL.
	each := cmp.Or(strings.TrimSuffix(strings.Repeat("?, ", len(args)), ", "), "NULL")
	w.add(strings.Replace(sql, "?", each, 1), indexOrder, args...)
}

// Order is an order of a list. The rows that come after one with a value, or after one without, are ranges of the index,
// read in turn.
type Order struct {
	// What it selects, if that is not what the order of ids selects.
	Select, By       string
	After, AfterNull []string
}

// Search reads lists with filters or an order. The statements differ between queries and are not prepared, so Postgres
// plans them for their values.
type Search[T any] struct {
	Scan pgx.RowToFunc[T]
	ID   func(*T) uuid.UUID
	// Reads rows by their ids; empty unless they may be large.
	Rows string
	// Selects rows or, where these may be large, their ids and sizes, in a sorted list with what sorts them between.
	Select, Count string
	// Lists without filters in the order of ids, which are prepared: of all rows, and of those that Where is limited to.
	// Empty if there are none.
	List, LimitedList string
	// The condition that rows come no later than one with an id.
	UpToID string
	// The order of ids in which Postgres sorts matches, instead of reading all rows in their order.
	ByIDText string
	// By `sort`; the order of ids by an empty text.
	Orders map[string]Order
	// By attribute.
	Keys map[string]*Key[T]
}

// search is one search.
type search[T any] struct {
	Search[T]
	db    *DB
	sort  string
	order Order
	// nil in the order of ids.
	key   *Key[T]
	where *Where
	// The prepared statement of a plain list.
	plain string
}

// Read starts to read the entities that match a query.
func (s Search[T]) Read(ctx context.Context, db *DB, query ListQuery, where *Where) (*List[T], error) {
	key := s.Keys[strings.TrimPrefix(query.Sort, "-")]
	one := search[T]{Search: s, db: db, sort: query.Sort, order: s.Orders[query.Sort], key: key, where: where}
	start, err := one.readCursor(query.After)
	if err != nil {
		return nil, err
	}
	if query.Sort == "" && !query.Total && len(where.filters) == 0 {
		one.plain = s.List
		if where.access.sql != "" {
			one.plain = s.LimitedList
		}
		if one.plain == "" {
			return &List[T]{First: []T{}}, nil
		}
	}
	list, err := readPages(ctx, query.Limit, start, one.read, one.cursorOf)
	if err != nil || !query.Total {
		return list, err
	}
	sql, args := statement(s.Count, one.matches(), "")
	count, err := Row(ctx, db, pgx.RowTo[int], sql, args...)
	list.header = map[string]string{"X-Total-Count": strconv.Itoa(count)}
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

// keyed is a row, or the id and size of a large one, with its place in the order.
type keyed[T any] struct {
	row   T
	at    position
	bytes int
}

// read is the source of the list.
func (s search[T]) read(ctx context.Context, after position, size int) (chunk Chunk[T, position], err error) {
	var rows []keyed[T]
	switch {
	case s.plain != "":
		args := append(slices.Clone(s.where.access.args), after.id, size+1)
		rows, err = Rows(ctx, s.db, s.scan, s.plain, args...)
	case s.key == nil && s.where.indexOrder != "":
		rows, err = s.readByIDs(ctx, after, size+1)
	default:
		rows, err = s.readRanges(ctx, after, size+1)
	}
	return chunkOf(rows, size, func(row *keyed[T]) position { return row.at }, func(rows []keyed[T]) []Batch[T] {
		if s.Rows == "" {
			found := make([]T, len(rows))
			for index, each := range rows {
				found[index] = each.row
			}
			return oneBatch(found)
		}
		sizes := make([]Size, len(rows))
		for index, each := range rows {
			sizes[index] = Size{each.at.id, each.bytes}
		}
		return batchesBySize(sizes, s.ID, func(ids []uuid.UUID) ([]T, error) {
			return Rows(ctx, s.db, s.Scan, s.Rows, ids)
		})
	}), err
}

// slice reads a part of the list.
func (s search[T]) slice(ctx context.Context, where condition, order string, limit, offset int) ([]keyed[T], error) {
	end, more := " order by "+order+" limit ?", []any{limit}
	if offset > 0 {
		end, more = end+" offset ?", append(more, offset)
	}
	sql, args := statement(cmp.Or(s.order.Select, s.Select), where, end, more...)
	return Rows(ctx, s.db, s.scan, sql, args...)
}

func (s search[T]) scan(row pgx.CollectableRow) (found keyed[T], err error) {
	if s.Rows == "" {
		found.row, err = s.Scan(row)
		if err != nil {
			return found, err
		}
		found.at = position{isSet: true, id: s.ID(&found.row)}
		if s.key != nil {
			found.at.value = s.key.value(&found.row)
		}
		return found, nil
	}
	found.at.isSet = true
	if s.key == nil {
		return found, row.Scan(&found.at.id, &found.bytes)
	}
	target, value := s.key.scan()
	err = row.Scan(&found.at.id, target, &found.bytes)
	found.at.value = value()
	return found, err
}

// readRanges reads the rows after a position, which are ranges of the index, one after the other.
func (s search[T]) readRanges(ctx context.Context, after position, size int) (found []keyed[T], err error) {
	for _, part := range s.rangesAfter(after) {
		if len(found) == size {
			break
		}
		rows, err := s.slice(ctx, all(s.matches(), part), s.order.By, size-len(found), 0)
		if err != nil {
			return nil, err
		}
		found = append(found, rows...)
	}
	return found, nil
}

func (s search[T]) rangesAfter(after position) []condition {
	if !after.isSet {
		return []condition{{}}
	}
	ranges, values := s.order.After, []any{after.value, after.id}
	switch {
	case s.key == nil:
		values = values[1:]
	case after.value == nil:
		ranges, values = s.order.AfterNull, values[1:]
	}
	conditions := make([]condition, len(ranges))
	for index, sql := range ranges {
		conditions[index] = condition{sql, values[:strings.Count(sql, "?")]}
	}
	return conditions
}

// How many rows are first read for each that is asked for.
const firstBudget = 10

// readByIDs reads matches in the order of ids, which their index does not have. Reading all rows in this order is fast
// if many match, unless those come late; sorting the matches is fast if they are few. Looks ever further for one of the
// two.
func (s search[T]) readByIDs(ctx context.Context, after position, size int) (found []keyed[T], err error) {
	byID, matches := s.order.By, s.matches()
	for budget := size * firstBudget; ; budget *= 4 {
		rest := s.rangesAfter(after)[0]
		end, err := s.slice(ctx, all(s.where.access, rest), byID, 1, budget)
		if err != nil {
			return nil, err
		}
		var before condition
		if len(end) > 0 {
			before = condition{s.UpToID, []any{end[0].at.id}}
		}
		rows, err := s.slice(ctx, all(matches, rest, before), byID, size-len(found), 0)
		if err != nil {
			return nil, err
		}
		found = append(found, rows...)
		if len(end) == 0 || len(found) == size {
			return found, nil
		}
		after = end[0].at
		further := all(matches, s.rangesAfter(after)[0])
		next, err := s.slice(ctx, further, s.where.indexOrder, 1, budget*4)
		if err != nil {
			return nil, err
		}
		if len(next) > 0 {
			continue
		}
		// Not the ids themselves, so that Postgres does not read all rows in their order.
		last, err := s.slice(ctx, further, s.ByIDText, size-len(found), 0)
		return append(found, last...), err
	}
}
