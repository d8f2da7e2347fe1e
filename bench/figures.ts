/** A measured value and its limit. */
export interface Figure {
  /** Group and name: `service: read`. */
  readonly what: string
  /** The measured figure. */
  readonly value: number
  /** `x` for a ratio, `s`, `ms`, `MB`, or `slips` for a count of them. */
  readonly unit: 'x' | 's' | 'ms' | 'MB' | 'slips'
  /** The limit; `undefined` for a value that only explains another one. */
  readonly must: { readonly atMost: number } | { readonly atLeast: number } | undefined
  /** What the value was calculated from. */
  readonly detail: string
}

/** Whether a figure meets its limit. */
export function reached(figure: Figure): boolean {
  if (figure.must === undefined) return true
  return 'atMost' in figure.must ? figure.value <= figure.must.atMost : figure.value >= figure.must.atLeast
}

/** Returns the median. Throws without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const high = sorted[Math.floor(sorted.length / 2)]
  const low = sorted[Math.ceil(sorted.length / 2) - 1]
  if (high === undefined || low === undefined) throw new Error('The median needs at least one value')
  return (high + low) / 2
}

/** Formats the figures as a Markdown table. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.what,
    `${round(figure.value)} ${figure.unit}`,
    bound(figure),
    figure.must === undefined ? '' : reached(figure) ? 'yes' : 'NO',
    figure.detail,
  ])
  const lines = [['what', 'measured', 'must reach', 'reached', 'from'], ...rows]
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0))) ?? []
  const text = lines.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  text.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  return text.join('\n')
}

function bound({ must, unit }: Figure): string {
  if (must === undefined) return ''
  return 'atMost' in must ? `at most ${must.atMost} ${unit}` : `at least ${must.atLeast} ${unit}`
}

/** Rounds to three significant digits. */
export function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
