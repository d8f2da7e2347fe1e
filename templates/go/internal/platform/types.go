package platform

import (
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// registerTypes tells pgx how values are read and written.
func registerTypes(types *pgtype.Map) {
	instants := &pgtype.TimestamptzCodec{ScanLocation: time.UTC}
	types.RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: instants})
	// In the binary form, zero has no digits after the point.
	numbers := &pgtype.TextFormatOnlyCodec{Codec: pgtype.NumericCodec{}}
	types.RegisterType(&pgtype.Type{Name: "numeric", OID: pgtype.NumericOID, Codec: numbers})
	many := &pgtype.ArrayCodec{ElementType: &pgtype.Type{Name: "numeric", OID: pgtype.NumericOID, Codec: numbers}}
	types.RegisterType(&pgtype.Type{Name: "_numeric", OID: pgtype.NumericArrayOID, Codec: many})
	types.RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: uuidCodec{}})
}

// uuidCodec reads and writes uuid.UUID as bytes. pgx would do so as text, because it implements the interfaces of
// database/sql.
type uuidCodec struct{ pgtype.UUIDCodec }

// PlanScan tells how to read a column.
func (c uuidCodec) PlanScan(types *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, isUUID := target.(*uuid.UUID); isUUID && format == pgtype.BinaryFormatCode {
		return uuidPlan{}
	}
	return c.UUIDCodec.PlanScan(types, oid, format, target)
}

// PlanEncode tells how to write a parameter.
func (c uuidCodec) PlanEncode(types *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, isUUID := value.(uuid.UUID); isUUID && format == pgtype.BinaryFormatCode {
		return uuidPlan{}
	}
	return c.UUIDCodec.PlanEncode(types, oid, format, value)
}

type uuidPlan struct{}

func (uuidPlan) Scan(source []byte, target any) error {
	if len(source) != len(uuid.UUID{}) {
		return errors.New("cannot scan NULL into a UUID")
	}
	copy(target.(*uuid.UUID)[:], source)
	return nil
}

func (uuidPlan) Encode(value any, buffer []byte) ([]byte, error) {
	id := value.(uuid.UUID)
	return append(buffer, id[:]...), nil
}
