/** One line of a service's output, ready to show. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  /** Further fields in their order, without those that every line has. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** The error's stack frames in the service's own files, innermost first: `at setup (src/setup.ts:5:40)`. */
  readonly frames: readonly string[]
}

/** What a line of a service's output says. */
export type OutputLine =
  | { readonly kind: 'line'; readonly line: LogLine }
  /** The error that ends the service. */
  | { readonly kind: 'fatal'; readonly message: string; readonly stack: string }
  /** A line that is not shown. */
  | { readonly kind: 'hidden' }

/** Name of the error for an import that an image would not contain. */
export const DEPENDENCY_ERROR = 'DependencyError'

const LEVELS: ReadonlySet<unknown> = new Set(['debug', 'info', 'warn', 'error'])
/** Messages of generated services at level `info` that `dev` shows in its own way. */
const HIDDEN_MESSAGES: ReadonlySet<unknown> = new Set(['request', 'ready', 'stopping', 'stopped'])
const COMMON_FIELDS: ReadonlySet<string> = new Set(['time', 'level', 'message', 'service', 'err'])

/**
 * Reads a line that a service wrote. A service logs one JSON object per line; user code also prints plain text.
 * `directory` is the URL of the service's directory, with a slash at the end.
 */
export function parseOutputLine(line: string, fallback: 'info' | 'error', directory: string): OutputLine {
  if (line.trim() === '') return { kind: 'hidden' }
  const record = parseRecord(line)
  if (record === undefined)
    return { kind: 'line', line: { level: fallback, message: line, fields: [], frames: [] } }
  const { level, message } = record
  if (level === 'info' && HIDDEN_MESSAGES.has(message)) return { kind: 'hidden' }
  const { text, stack, fields } = readError(record['err'])
  if (level === 'fatal')
    return { kind: 'fatal', message: databaseErrorText(record['err']) ?? text ?? String(message), stack }
  const own = Object.entries(record).filter(([name]) => !COMMON_FIELDS.has(name))
  return {
    kind: 'line',
    line: {
      level: LEVELS.has(level) ? (level as LogLine['level']) : fallback,
      message: text === undefined ? String(message) : `${String(message)}: ${text}`,
      fields: [...own, ...fields].map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
      frames: ownFrames(stack, directory),
    },
  }
}

/** Reads the error of a line: its name and message, its stack, and its other fields. */
function readError(error: unknown): {
  readonly text: string | undefined
  readonly stack: string
  readonly fields: readonly (readonly [name: string, value: unknown])[]
} {
  if (typeof error !== 'object' || error === null) return { text: undefined, stack: '', fields: [] }
  const { type, message, stack, ...fields } = error as Record<string, unknown>
  return {
    text: errorText(type, message),
    stack: typeof stack === 'string' ? stack : '',
    fields: Object.entries(fields),
  }
}

/** The name and the message of an error. A missing package is the user's to install: the message says how. */
export function errorText(name: unknown, message: unknown): string {
  if (name === DEPENDENCY_ERROR) return String(message)
  return [name, message].filter((part) => typeof part === 'string').join(': ')
}

/**
 * Describes an error of Postgres whose message the service left out because it may contain values: by its SQLSTATE and
 * what it is about.
 */
function databaseErrorText(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || 'message' in error || !('code' in error))
    return undefined
  const names = ['constraint', 'table', 'column'].flatMap((kind) => {
    const name = (error as Record<string, unknown>)[kind]
    return typeof name === 'string' ? [`${kind} ${name}`] : []
  })
  return `Database error (${[`SQLSTATE ${String(error.code)}`, ...names].join(', ')})`
}

function ownFrames(stack: string, directory: string): string[] {
  return stack
    .split('\n')
    .filter((frame) => frame.includes(`${directory}src/`))
    .map((frame) => frame.trim().replace(directory, ''))
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
