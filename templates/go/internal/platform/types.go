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
	// pgx would read and write uuid.UUID as text, because it implements the interfaces of database/sql. These plans pass
	// its bytes on.
	types.TryWrapScanPlanFuncs = append([]pgtype.TryWrapScanPlanFunc{wrapScan}, types.TryWrapScanPlanFuncs...)
	types.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrapEncode}, types.TryWrapEncodePlanFuncs...)
}

type scannedUUID uuid.UUID

func (u *scannedUUID) ScanUUID(value pgtype.UUID) error {
	if !value.Valid {
		return errors.New("cannot scan NULL into a UUID")
	}
	*u = value.Bytes
	return nil
}

type scanPlan struct{ next pgtype.ScanPlan }

func wrapScan(target any) (pgtype.WrappedScanPlanNextSetter, any, bool) {
	id, isUUID := target.(*uuid.UUID)
	return &scanPlan{}, (*scannedUUID)(id), isUUID
}

func (p *scanPlan) SetNext(next pgtype.ScanPlan) { p.next = next }

func (p *scanPlan) Scan(source []byte, target any) error {
	return p.next.Scan(source, (*scannedUUID)(target.(*uuid.UUID)))
}

type encodePlan struct{ next pgtype.EncodePlan }

func wrapEncode(value any) (pgtype.WrappedEncodePlanNextSetter, any, bool) {
	id, isUUID := value.(uuid.UUID)
	return &encodePlan{}, [16]byte(id), isUUID
}

func (p *encodePlan) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *encodePlan) Encode(value any, buffer []byte) ([]byte, error) {
	return p.next.Encode([16]byte(value.(uuid.UUID)), buffer)
}
