package platform

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// Date is a day from 0001-01-01 to 9999-12-31. Its time is midnight in UTC.
type Date struct{ time.Time }

// MarshalJSON writes a day as "2006-01-02".
func (d Date) MarshalJSON() ([]byte, error) { return d.AppendFormat(nil, `"`+time.DateOnly+`"`), nil }

// UnmarshalJSON reads a day.
func (d *Date) UnmarshalJSON(text []byte) (err error) {
	d.Time, err = time.Parse(`"`+time.DateOnly+`"`, string(text))
	return err
}

// ScanDate reads a column.
func (d *Date) ScanDate(value pgtype.Date) error {
	if !value.Valid || value.InfinityModifier != pgtype.Finite {
		return fmt.Errorf("not a day: %v", value)
	}
	d.Time = value.Time
	return nil
}

// DateValue writes a column.
func (d Date) DateValue() (pgtype.Date, error) { return pgtype.Date{Time: d.Time, Valid: true}, nil }

// Date reads a day as YYYY-MM-DD.
func (v *Values) Date(name string) Date {
	const problem = "must be a valid date in the format YYYY-MM-DD"
	text, _, isGiven := v.text(name, problem)
	if !isGiven {
		return Date{}
	}
	day, err := time.Parse(time.DateOnly, text)
	switch {
	case err != nil:
		v.reject(name, problem)
	case day.Year() < 1:
		v.reject(name, "must be a date from 0001-01-01 to 9999-12-31")
	}
	return Date{day}
}

var datetimePattern = regexp.MustCompile(`(?i)^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,6})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// Datetime reads a date and time with an offset (RFC 3339), converted to UTC.
func (v *Values) Datetime(name string) time.Time {
	text, _, isGiven := v.text(name, "must be a date and time")
	if !isGiven {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
	at = at.UTC()
	if err != nil || !datetimePattern.MatchString(text) || at.Year() < 1 || at.Year() > 9999 {
		v.reject(name, "must be a date and time with an offset (RFC 3339) in the years 0001 to 9999")
	}
	return at
}

// TimeOfDay is how long after midnight a time of the day is.
type TimeOfDay time.Duration

// String writes a time of the day: "15:04:05.5".
func (t TimeOfDay) String() string {
	return time.UnixMicro(time.Duration(t).Microseconds()).UTC().Format(timeLayout)
}

// MarshalText writes a time of the day as in JSON.
func (t TimeOfDay) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a time of the day.
func (t *TimeOfDay) UnmarshalText(text []byte) error {
	at, err := time.Parse(timeLayout, string(text))
	*t = timeOfDay(at)
	return err
}

// ScanTime reads a column.
func (t *TimeOfDay) ScanTime(value pgtype.Time) error {
	if !value.Valid {
		return fmt.Errorf("not a time: %v", value)
	}
	*t = TimeOfDay(time.Duration(value.Microseconds) * time.Microsecond)
	return nil
}

// TimeValue writes a column.
func (t TimeOfDay) TimeValue() (pgtype.Time, error) {
	return pgtype.Time{Microseconds: time.Duration(t).Microseconds(), Valid: true}, nil
}

const timeLayout = "15:04:05.999999"

var timePattern = regexp.MustCompile(`^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$`)

// Time reads a time of the day as HH:MM:SS or HH:MM:SS.ffffff.
func (v *Values) Time(name string) TimeOfDay {
	text, _, isGiven := v.text(name, "must be a time")
	if !isGiven {
		return 0
	}
	at, err := time.Parse(timeLayout, text)
	if err != nil || !timePattern.MatchString(text) {
		v.reject(name, "must be a valid time in the format HH:MM:SS or HH:MM:SS.ffffff")
	}
	return timeOfDay(at)
}

func timeOfDay(at time.Time) TimeOfDay {
	return TimeOfDay(at.Sub(time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())))
}

// Today returns the day in UTC.
func Today() Date { return Date{time.Now().UTC().Truncate(24 * time.Hour)} }

// Now returns the time, as precise as the database stores it.
func Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// TimeNow returns the time of the day in UTC.
func TimeNow() TimeOfDay { return timeOfDay(Now()) }
