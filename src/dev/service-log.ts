/** One line of a service's output, as it is to be shown. */
export interface ServiceLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  /** Further fields in their order, those left out that say the same in every line. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Of an error: where in the service's own files it came by, innermost first: `at setup (src/setup.ts:5:40)`. */
  readonly places: readonly string[]
}

const LEVELS: ReadonlySet<unknown> = new Set(['debug', 'info', 'warn', 'error'])
/** What a generated service says of itself at this level; `dev` says the same in its own way. */
const OF_NO_INTEREST: ReadonlySet<unknown> = new Set(['request', 'ready', 'stopped'])
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(['time', 'level', 'message', 'service'])

/**
 * Reads a line that a service wrote: its own log is one JSON object a line, what user code prints is plain
 * text. `undefined` for what is not to be shown.
 */
export function readServiceLine(line: string, fallback: 'info' | 'error'): ServiceLine | undefined {
  if (line.trim() === '') return undefined
  const record = parseRecord(line)
  if (record === undefined) return { level: fallback, message: line, fields: [], places: [] }
  const { level, message } = record
  if (level === 'info' && OF_NO_INTEREST.has(message)) return undefined
  const { places, error, hidden } = readError(record)
  return {
    level: LEVELS.has(level) ? (level as ServiceLine['level']) : fallback,
    message: [String(message), ...error].join(': '),
    places,
    fields: Object.entries(record)
      .filter(([name]) => !SAID_ELSEWHERE.has(name) && !hidden.has(name))
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const),
  }
}

const ERROR_FIELDS: ReadonlySet<string> = new Set(['error', 'reason', 'stack'])

/** What a line with a stack says of its error: its name and message, and the places a user can do something about. */
function readError({ error, reason, stack }: Record<string, unknown>): {
  readonly error: readonly string[]
  readonly places: readonly string[]
  readonly hidden: ReadonlySet<string>
} {
  if (!Array.isArray(stack)) return { error: [], places: [], hidden: new Set() }
  const own = stack.flatMap((frame: unknown) => {
    const found = /^(at .*?)file:\/\/\S*\/(src\/[^\s)]+\)?)$/.exec(String(frame))
    return found === null || String(frame).includes('/node_modules/') ? [] : [`${found[1]}${found[2]}`]
  })
  return {
    error: [error, reason].filter((part) => typeof part === 'string'),
    places: own,
    hidden: ERROR_FIELDS,
  }
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const record: unknown = JSON.parse(line)
    return typeof record === 'object' && record !== null && 'message' in record ? { ...record } : undefined
  } catch {
    return undefined
  }
}
