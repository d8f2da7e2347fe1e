/** What a line says beside its message. Nothing that a client sent may be among it but method and path. */
export type Fields = Readonly<Record<string, unknown>>

/** Lines below the configured level are not written. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/** Writes one line of JSON for each call. */
export interface Log {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  /** A log that adds the fields to every line. */
  with(fields: Fields): Log
}

/** Buffered lines of this many characters are written at once. */
const BATCH_LENGTH = 16_384

/** Makes the log of a service. `write` takes whole lines; standard output by default. */
export function createLog(
  service: string,
  level: LogLevel,
  write: (lines: string) => void = (lines) => void process.stdout.write(lines),
): Log {
  const lowest = LOG_LEVELS.indexOf(level)
  let batch = ''

  function flush(): void {
    if (batch !== '') write(batch)
    batch = ''
  }

  // One write for all lines of a turn of the event loop: under load, a write a request would cost more than
  // the rest of the log. What tells of trouble is not held back.
  function append(line: string, urgent: boolean): void {
    if (batch === '' && !urgent) setImmediate(flush)
    batch += `${line}\n`
    if (urgent || batch.length > BATCH_LENGTH) flush()
  }

  function bind(bound: Fields): Log {
    const at = (lineLevel: LogLevel) => {
      if (LOG_LEVELS.indexOf(lineLevel) < lowest) return () => {}
      const urgent = lineLevel === 'warn' || lineLevel === 'error'
      return (message: string, fields?: Fields) => {
        const time = new Date().toISOString()
        append(toJson({ time, level: lineLevel, message, service, ...bound, ...fields }), urgent)
      }
    }
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      with: (fields) => bind({ ...bound, ...fields }),
    }
  }

  return bind({})
}

/** Fields that JSON cannot hold must not turn a log line into an error. */
function toJson(line: Fields): string {
  try {
    return JSON.stringify(line, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
  } catch {
    const { time, level, message, service } = line
    return JSON.stringify({ time, level, message, service, fields: 'not serializable' })
  }
}

/**
 * What may be said of an error in the log. The messages of Drizzle and of the database hold values, and that
 * of a failed JSON.parse a piece of the text, so of those only codes and names are taken.
 */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error }
  const chain = causes(error)
  const database = chain.map(databaseFields).find((fields) => fields !== undefined)
  const fields = { error: error.name, ...database, stack: frames(error) }
  return holdsValues(chain) ? fields : { ...fields, reason: error.message }
}

function causes(error: Error): Error[] {
  const chain = [error]
  for (let next = error.cause; next instanceof Error && chain.length < 10; next = next.cause) chain.push(next)
  return chain
}

function databaseFields(error: Error): Fields | undefined {
  if (!('code' in error) || typeof error.code !== 'string') return undefined
  const names: Record<string, unknown> = { code: error.code }
  if ('constraint_name' in error) names['constraint'] = error.constraint_name
  if ('table_name' in error) names['table'] = error.table_name
  if ('column_name' in error) names['column'] = error.column_name
  return names
}

/** Drizzle's errors carry `params` and `query`, those of postgres.js a `query` or a `severity`. */
function holdsValues(chain: readonly Error[]): boolean {
  return chain.some((error) => error instanceof SyntaxError || 'query' in error || 'severity' in error)
}

/** The places of the stack without its first lines, which repeat the message. */
function frames(error: Error): readonly string[] {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .map((line) => line.trim())
    .slice(0, 20)
}
