package platform

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
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
	// 0 for all.
	Limit int
	After uuid.UUID
}

// PageOf reads the query parameters `limit` and `after`.
func PageOf(r *http.Request) (page Page, err error) {
	parameters := parametersOf(r)
	if text, isGiven := firstOf(parameters, "limit"); isGiven {
		if page.Limit, err = limitOf(text); err != nil {
			return page, err
		}
	}
	if text, isGiven := firstOf(parameters, "after"); isGiven {
		after, isValid := ParseID(text)
		if !isValid {
			return page, InvalidParameter("after", "must be a UUID")
		}
		page.After = after
	}
	return page, nil
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

// Batch reads some entities of a list.
type Batch[T any] func() ([]T, error)

// Source reads up to `size` rows after a position: an id or, in a sorted list, a Position. The chunk tells whether more
// follow.
type Source[T, P any] func(ctx context.Context, after P, size int) (Chunk[T, P], error)

// Chunk is a part of a list, in batches.
type Chunk[T, P any] struct {
	batches []Batch[T]
	last    P
	isMore  bool
}

// chunkOf makes a chunk of up to `size` rows, of which one more shows whether others follow.
func chunkOf[T, P, R any](
	rows []R, size int, position func(*R) P, batches func([]R) []Batch[T],
) (chunk Chunk[T, P]) {
	if len(rows) == 0 {
		return chunk
	}
	chunk.isMore = len(rows) > size
	rows = rows[:min(len(rows), size)]
	chunk.last = position(&rows[len(rows)-1])
	chunk.batches = batches(rows)
	return chunk
}

func oneBatch[T any](rows []T) []Batch[T] {
	return []Batch[T]{func() ([]T, error) { return rows, nil }}
}

// SmallRows is the source of rows that are small enough to be one batch.
func SmallRows[T any](
	id func(*T) uuid.UUID, read func(ctx context.Context, after uuid.UUID, limit int) ([]T, error),
) Source[T, uuid.UUID] {
	return func(ctx context.Context, after uuid.UUID, size int) (Chunk[T, uuid.UUID], error) {
		rows, err := read(ctx, after, size+1)
		return chunkOf(rows, size, id, oneBatch), err
	}
}

// Size is how large a row is.
type Size struct {
	ID    uuid.UUID
	Bytes int
}

// ScanSize reads a row of the columns `id` and size.
func ScanSize(row pgx.CollectableRow) (size Size, err error) {
	err = row.Scan(&size.ID, &size.Bytes)
	return size, err
}

// largeRow is held while a row is read that is larger than a batch.
var largeRow sync.Mutex

// LargeRows is the source of rows that may be large: it cuts their sizes into batches, which `find` reads. A row that
// is too large is a batch of its own.
func LargeRows[T any](
	id func(*T) uuid.UUID,
	sizes func(ctx context.Context, after uuid.UUID, limit int) ([]Size, error),
	find func(ctx context.Context, ids []uuid.UUID) ([]T, error),
) Source[T, uuid.UUID] {
	return func(ctx context.Context, after uuid.UUID, size int) (Chunk[T, uuid.UUID], error) {
		rows, err := sizes(ctx, after, size+1)
		return chunkOf(rows, size, func(row *Size) uuid.UUID { return row.ID }, func(rows []Size) []Batch[T] {
			return batchesBySize(rows, id, func(ids []uuid.UUID) ([]T, error) { return find(ctx, ids) })
		}), err
	}
}

// batchesBySize cuts rows into batches. A row that is too large is a batch of its own.
func batchesBySize[T any](
	rows []Size, id func(*T) uuid.UUID, find func(ids []uuid.UUID) ([]T, error),
) (batches []Batch[T]) {
	for len(rows) > 0 {
		ids, bytes := []uuid.UUID{rows[0].ID}, rows[0].Bytes
		for _, row := range rows[1:] {
			if bytes += row.Bytes; bytes > BatchBytes {
				break
			}
			ids = append(ids, row.ID)
		}
		isLarge := rows[0].Bytes > BatchBytes
		rows = rows[len(ids):]
		batches = append(batches, func() ([]T, error) {
			if isLarge {
				largeRow.Lock()
				defer largeRow.Unlock()
			}
			found, err := find(ids)
			places := make(map[uuid.UUID]int, len(ids))
			for index, each := range ids {
				places[each] = index
			}
			slices.SortFunc(found, func(a, b T) int { return places[id(&a)] - places[id(&b)] })
			return found, err
		})
	}
	return batches
}

// List is a list whose first batch has been read. The others are read when they are needed, and no connection is held
// in between.
type List[T any] struct {
	First []T
	rest  iter.Seq2[[]T, error]
	// The cursor and the size of the next page.
	next   string
	limit  int
	header map[string]string
}

// ReadList starts to read a page or, without a limit, all entities in the order of ids.
func ReadList[T any](ctx context.Context, page Page, source Source[T, uuid.UUID]) (*List[T], error) {
	return readPages(ctx, page.Limit, page.After, source, uuid.UUID.String)
}

// readPages starts to read a page or, without a limit, all. `next` makes the cursor of the page after a row.
func readPages[T, P any](
	ctx context.Context, limit int, start P, source Source[T, P], next func(last P) string,
) (*List[T], error) {
	if limit < 0 {
		return nil, errors.New("the limit of a list must be a positive number")
	}
	isWhole, size := limit == 0, limit
	if isWhole {
		size = maxRows
	}
	chunk, err := source(ctx, start, size)
	if err != nil {
		return nil, err
	}
	list := &List[T]{First: []T{}, limit: limit}
	if len(chunk.batches) > 0 {
		if list.First, err = chunk.batches[0](); err != nil {
			return nil, err
		}
		chunk.batches = chunk.batches[1:]
	}
	if !isWhole && chunk.isMore {
		list.next = next(chunk.last)
	}
	if len(chunk.batches) == 0 && !(isWhole && chunk.isMore) {
		return list, nil
	}
	list.rest = func(yield func([]T, error) bool) {
		for {
			for _, batch := range chunk.batches {
				rows, err := batch()
				if !yield(rows, err) || err != nil {
					return
				}
			}
			if !isWhole || !chunk.isMore {
				return
			}
			if chunk, err = source(ctx, chunk.last, size); err != nil {
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
	for name, value := range list.header {
		header.Set(name, value)
	}
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
