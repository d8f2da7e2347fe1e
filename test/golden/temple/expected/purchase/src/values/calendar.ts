/** Whether the day exists in the proleptic Gregorian calendar, in the years 1 to 9999. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Whether the clock shows it: no leap seconds, no 24:00. */
export function isClockTime(hour: number, minute: number, second: number): boolean {
  return hour <= 23 && minute <= 59 && second <= 59
}

/** A fraction of a second with its point, `.500`, without trailing zeros; empty where nothing is left. */
export function canonicalFraction(fraction: string): string {
  return fraction.replace(/\.?0+$/, '')
}
