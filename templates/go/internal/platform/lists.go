package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const (
	// Limits pages and batches.
	maxRows = 1000
	// BatchBytes limits the memory that a list uses.
	BatchBytes = 4 * 1024 * 1024
)

// Page is a part of a list: up to Limit entities, only those with greater ids than After.
type Page struct {
	// 0 or less for all.
	Limit int
	After uuid.UUID
	// Only those with these ids; nil for all.
	IDIn []uuid.UUID
}

// WithIDs is the part of a list that has some ids.
func WithIDs(ids []uuid.UUID) Page { return Page{IDIn: append([]uuid.UUID{}, ids...)} }

// PageOf reads the query parameters `limit`, `after` and `id[in]`.
func PageOf(r *http.Request) (page Page, err error) {
	given := url.Values{}
	for _, each := range parametersOf(r) {
		given.Add(each.name, each.value)
	}
	if given.Has("limit") {
		if page.Limit, err = limitOf(given.Get("limit")); err != nil {
			return page, err
		}
	}
	if given.Has("after") {
		after, isValid := ParseID(given.Get("after"))
		if !isValid {
			return page, InvalidParameter("after", "must be a UUID")
		}
		page.After = after
	}
	values := &Values{given: map[string]json.RawMessage{}, isQuery: true}
	switch texts := given["id[in]"]; len(texts) {
	case 0:
	case 1:
		values.given["id[in]"] = textOf(texts[0])
	default:
		return page, InvalidParameter("id[in]", "must not be repeated")
	}
	page.IDIn = idsOf(values)
	return page, values.problem
}

// The largest number of ids in one request.
const maxIDs = 100

// idsOf reads the ids that a list is limited to.
func idsOf(v *Values) []uuid.UUID {
	ids := ListOf(v, "id[in]", (*Values).ID)
	if len(ids) > maxIDs {
		v.reject("id[in]", "must have at most "+plural(maxIDs, "id"))
	}
	return ids
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

func limitOf(text string) (int, error) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, InvalidParameter("limit", "must be an integer")
	}
	// Out of range, it is the largest or smallest integer.
	limit, _ := strconv.Atoi(text)
	switch {
	case limit < 1:
		return 0, InvalidParameter("limit", "must be at least 1")
	case limit > maxRows:
		return 0, InvalidParameter("limit", "must be at most "+strconv.Itoa(maxRows))
	}
	return limit, nil
}

// Lists has the statements that read lists of rows.
type Lists[T any] struct {
	Scan pgx.RowToFunc[T]
	ID   func(*T) uuid.UUID
	// Reads rows by their ids. Empty unless rows may be large: then the others select their ids and sizes.
	Rows string
	// Select all rows after an id, and those of an owner or a parent. Empty if there are none.
	List, LimitedList string
	// Selects those with some ids: if there is a LimitedList, of an owner or a parent, unless that is NULL.
	ByIDs string
}

// Read starts to read a page or, without a limit, all rows in the order of ids: those of an owner or a parent, unless
// that is nil.
func (l Lists[T]) Read(ctx context.Context, db *DB, page Page, of *uuid.UUID) (*List[T], error) {
	var source source[T]
	switch isLimited := l.LimitedList != ""; {
	case of != nil && !isLimited:
		source = l.plain(db, "")
	case page.IDIn != nil && isLimited:
		source = l.plain(db, l.ByIDs, page.IDIn, of)
	case page.IDIn != nil:
		source = l.plain(db, l.ByIDs, page.IDIn)
	case of != nil:
		source = l.plain(db, l.LimitedList, *of)
	default:
		source = l.plain(db, l.List)
	}
	at := func(row *T) position { return position{l.ID(row), nil, true} }
	next := func(last position) string { return last.id.String() }
	return l.read(ctx, db, page.Limit, position{id: page.After}, source, at, next)
}

// position is a place in an order: an id and, in a sorted list, the value of the attribute that sorts it.
type position struct {
	id    uuid.UUID
	value any
	// Not at the start of the list.
	isSet bool
}

// part is a part of a list: its rows or, where these may be large, their sizes.
type part[T any] struct {
	rows  []T
	large []largeRow
}

type largeRow struct {
	at    position
	bytes int
}

func scanLargeRow(row pgx.CollectableRow) (found largeRow, err error) {
	found.at.isSet = true
	err = row.Scan(&found.at.id, &found.bytes)
	return found, err
}

func (p part[T]) size() int { return len(p.rows) + len(p.large) }

// last returns the position of the last row.
func (p part[T]) last(at func(row *T) position) position {
	if len(p.rows) > 0 {
		return at(&p.rows[len(p.rows)-1])
	}
	return p.large[len(p.large)-1].at
}

// source reads up to `limit` rows after a position.
type source[T any] func(ctx context.Context, after position, limit int) (part[T], error)

// plain is the source of a prepared statement. Without one, there are no rows.
func (l Lists[T]) plain(db *DB, sql string, args ...any) source[T] {
	return func(ctx context.Context, after position, limit int) (found part[T], err error) {
		args := append(slices.Clone(args), after.id, limit)
		switch {
		case sql == "":
		case l.Rows == "":
			found.rows, err = Rows(ctx, db, l.Scan, sql, args...)
		default:
			found.large, err = Rows(ctx, db, scanLargeRow, sql, args...)
		}
		return found, err
	}
}

// largeRowMutex is held while a row is read that is larger than a batch.
var largeRowMutex sync.Mutex

// cut returns how many rows the next batch has. A row that is too large is a batch of its own.
func cut(rows []largeRow) int {
	bytes := 0
	for index, row := range rows {
		if bytes += row.bytes; bytes > BatchBytes && index > 0 {
			return index
		}
	}
	return len(rows)
}

// load reads a batch of rows.
func (l Lists[T]) load(ctx context.Context, db *DB, batch []largeRow) ([]T, error) {
	if batch[0].bytes > BatchBytes {
		largeRowMutex.Lock()
		defer largeRowMutex.Unlock()
	}
	ids := make([]uuid.UUID, len(batch))
	places := make(map[uuid.UUID]int, len(batch))
	for index, row := range batch {
		ids[index], places[row.at.id] = row.at.id, index
	}
	found, err := Rows(ctx, db, l.Scan, l.Rows, ids)
	slices.SortFunc(found, func(a, b T) int { return places[l.ID(&a)] - places[l.ID(&b)] })
	return found, err
}

// List is a list whose first batch has been read. The others are read when they are needed, and no connection is held
// in between.
type List[T any] struct {
	First []T
	rest  iter.Seq2[[]T, error]
	// The cursor and the size of the next page.
	next   string
	limit  int
	header http.Header
}

// read starts to read a page or, without a limit, all rows. `at` returns the position of a row, and `next` makes the cursor
// of the page after it.
func (l Lists[T]) read(
	ctx context.Context, db *DB, limit int, start position, source source[T],
	at func(row *T) position, next func(last position) string,
) (*List[T], error) {
	isWhole, size := limit <= 0, limit
	if isWhole {
		size = maxRows
	}
	last, isMore := start, false
	// One more row shows whether others follow.
	readPart := func() (part[T], error) {
		found, err := source(ctx, last, size+1)
		isMore = found.size() > size
		found.rows = found.rows[:min(len(found.rows), size)]
		found.large = found.large[:min(len(found.large), size)]
		if found.size() > 0 {
			last = found.last(at)
		}
		return found, err
	}
	found, err := readPart()
	if err != nil {
		return nil, err
	}
	nextBatch := func() (batch []T, err error) {
		if len(found.rows) > 0 {
			batch, found.rows = found.rows, nil
			return batch, nil
		}
		count := cut(found.large)
		batch, err = l.load(ctx, db, found.large[:count])
		found.large = found.large[count:]
		return batch, err
	}
	list := &List[T]{First: []T{}, limit: limit}
	if found.size() > 0 {
		if list.First, err = nextBatch(); err != nil {
			return nil, err
		}
	}
	if !isWhole && isMore {
		list.next = next(last)
	}
	if found.size() == 0 && (!isWhole || !isMore) {
		return list, nil
	}
	list.rest = func(yield func([]T, error) bool) {
		for {
			for found.size() > 0 {
				if batch, err := nextBatch(); !yield(batch, err) || err != nil {
					return
				}
			}
			if !isWhole || !isMore {
				return
			}
			if found, err = readPart(); err != nil {
				yield(nil, err)
				return
			}
		}
	}
	return list, nil
}

// All reads the whole list into First.
func (list *List[T]) All() error {
	if list.rest == nil {
		return nil
	}
	for rows, err := range list.rest {
		if err != nil {
			return err
		}
		list.First = append(list.First, rows...)
	}
	list.rest = nil
	return nil
}

// RunAfterList runs the after-list hooks for each batch, the first of which has been read.
func RunAfterList[Env, T any](
	ctx context.Context, hook *Hook[Env, *[]T], env Env, list *List[T], caller Caller,
) error {
	if !hook.IsUsed() {
		return nil
	}
	if rest := list.rest; rest != nil {
		list.rest = func(yield func([]T, error) bool) {
			for rows, err := range rest {
				if err == nil {
					err = hook.Run(ctx, env, &rows, caller)
				}
				if !yield(rows, err) {
					return
				}
			}
		}
	}
	return hook.Run(ctx, env, &list.First, caller)
}

// Collect reads a whole list.
func Collect[T any](list *List[T], err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	err = list.All()
	return list.First, err
}

// Respond sends the list under a key. An error midway breaks the connection, so that no part looks like the whole.
func (list *List[T]) Respond(w http.ResponseWriter, r *http.Request, key string) error {
	header := w.Header()
	if list.next != "" {
		next := withPage(parametersOf(r), strconv.Itoa(list.limit), list.next)
		header.Set("Link", "</api"+r.URL.EscapedPath()+"?"+next+`>; rel="next"`)
	}
	maps.Copy(header, list.header)
	header.Set("Content-Type", "application/json")
	buffer := bytes.NewBufferString(`{"` + key + `":`)
	if err := appendJSON(buffer, list.First); err != nil {
		return err
	}
	if list.rest == nil {
		buffer.WriteByte('}')
		header.Set("Content-Length", strconv.Itoa(buffer.Len()))
		return send(w, buffer.Bytes())
	}
	// Batches are parts of one list: the first has no end, the others have a comma in place of their beginning.
	if err := send(w, buffer.Bytes()[:buffer.Len()-1]); err != nil {
		return err
	}
	isFirst := len(list.First) == 0
	list.First = nil
	for rows, err := range list.rest {
		if err != nil {
			return err
		}
		// Rows may have been deleted since their sizes were read.
		if len(rows) == 0 {
			continue
		}
		buffer.Reset()
		if err := appendJSON(buffer, rows); err != nil {
			return err
		}
		batch := buffer.Bytes()[:buffer.Len()-1]
		if isFirst {
			batch = batch[1:]
		} else {
			batch[0] = ','
		}
		isFirst = false
		if err := send(w, batch); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "]}")
	return err
}
