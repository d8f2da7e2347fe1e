/** One line of a service's output, as it is to be shown. */
export interface ServiceLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  /** Further fields in their order, those left out that say the same in every line. */
  readonly fields: readonly (readonly [name: string, value: string])[]
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
  if (record === undefined) return { level: fallback, message: line, fields: [] }
  const { level, message } = record
  if (level === 'info' && OF_NO_INTEREST.has(message)) return undefined
  return {
    level: LEVELS.has(level) ? (level as ServiceLine['level']) : fallback,
    message: String(message),
    fields: Object.entries(record)
      .filter(([name]) => !SAID_ELSEWHERE.has(name))
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const),
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
