package platform

import (
	"encoding/json"
	"math"
	"strconv"
)

// number reads a number as JSON.parse does: with the precision of a double, infinite if it is too large.
func (v *Values) number(name, problem string) (float64, bool) {
	raw, isGiven := v.scalar(name)
	if !isGiven {
		return 0, false
	}
	isNumber := raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
	number, _ := strconv.ParseFloat(string(raw), 64)
	if !isNumber || math.IsInf(number, 0) {
		v.reject(name, problem)
		return 0, false
	}
	// Adding 0 makes -0 positive.
	return number + 0, true
}

const maxSafeInteger = 1<<53 - 1

// Int reads an integer, which may be written as 3.0.
func (v *Values) Int(name string, low, high int) int {
	problem := "must be an integer from " + strconv.Itoa(low) + " to " + strconv.Itoa(high)
	number, isValid := v.number(name, problem)
	isInteger := number == math.Trunc(number) && math.Abs(number) <= maxSafeInteger
	if isValid && (!isInteger || int(number) < low || int(number) > high) {
		v.reject(name, problem)
	}
	return int(number)
}

// Float reads a double-precision number. Bounds may be infinite.
func (v *Values) Float(name string, low, high float64) float64 {
	number, isValid := v.number(name, "must be a number")
	if isValid {
		v.requireBetween(name, number, low, high)
	}
	return number
}

// Real reads a single-precision number, which is rounded before its bounds are checked. Bounds may be infinite.
func (v *Values) Real(name string, low, high float64) float32 {
	number, isValid := v.number(name, "must be a number")
	rounded := float32(number)
	if math.IsInf(float64(rounded), 0) {
		v.reject(name, "is too large")
	} else if isValid {
		v.requireBetween(name, float64(rounded), low, high)
	}
	// Adding 0 makes -0 positive.
	return rounded + 0
}

func (v *Values) requireBetween(name string, number, low, high float64) {
	switch {
	case number < low:
		v.reject(name, "must be at least "+numberText(low))
	case number > high:
		v.reject(name, "must be at most "+numberText(high))
	}
}

// numberText writes a number as JavaScript does.
func numberText(number float64) string {
	text, _ := json.Marshal(number)
	return string(text)
}
