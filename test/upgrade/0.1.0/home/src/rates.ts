import { parse } from 'yaml'

const SEASONS = parse('{ 7: 1.5, 8: 1.5, 12: 1.2 }') as Record<string, number | undefined>

/** The rate in the month of a time. */
export function seasonalRate(rate: number, time: string): number {
  return rate * (SEASONS[new Date(time).getUTCMonth() + 1] ?? 1)
}
