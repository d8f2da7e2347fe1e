/** The fields of a schedule, with the smallest and the largest value of each. */
const FIELDS = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12 },
  // Go's parser does not read 7.
  { name: 'day of the week', min: 0, max: 6 },
] as const
/** The days of the months of a leap year. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const RANGE = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/

/**
 * Why a text is not a cron expression of five fields, each `*`, a number, a range, a step, or a list of numbers, ranges
 * and steps, or why no time matches it; `undefined` if it is valid. Every language that services are generated in reads
 * these expressions alike.
 */
export function scheduleProblem(text: string): string | undefined {
  const fields = text.split(' ')
  if (fields.length !== FIELDS.length || fields.includes(''))
    return `it has five fields with one space between them: ${FIELDS.map(({ name }) => name).join(', ')}`
  const values = fields.map((field, index) => valuesOf(field, index))
  const wrong = values.findIndex((each) => each === undefined)
  const field = FIELDS[wrong]
  if (field !== undefined)
    return `the ${field.name} is \`*\`, a number from ${field.min} to ${field.max}, a range \`${field.min}-${field.max}\`, a step \`*/2\`, or a list of numbers, ranges and steps`
  const [, , days = [], months = []] = values
  // With a day of the week, one of the two has to match.
  if (fields[4] !== '*' || months.some((month) => days.some((day) => day <= (DAYS[month - 1] ?? 0))))
    return undefined
  return 'none of these months has such a day'
}

function valuesOf(field: string, index: number): readonly number[] | undefined {
  const { min, max } = FIELDS[index] ?? { min: 0, max: 0 }
  const values: number[] = []
  for (const part of field.split(',')) {
    const match = RANGE.exec(part)
    if (match === null) return undefined
    const [, from, to, step] = match
    const first = from === undefined ? min : Number(from)
    // `5/15` would be up to the end in one parser, and an error in another.
    if (from !== undefined && to === undefined && step !== undefined) return undefined
    const last = from === undefined ? max : Number(to ?? from)
    const every = Number(step ?? 1)
    // Only alone, parsers agree that a field with `*` asks for nothing, so that the other day decides.
    if (from === undefined && every === 1 && field !== '*') return undefined
    if (first < min || last > max || first > last || every < 1) return undefined
    for (let value = first; value <= last; value += every) values.push(value)
  }
  return values
}
