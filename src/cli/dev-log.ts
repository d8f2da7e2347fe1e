import { stripVTControlCharacters } from 'node:util'
import { type OnEvent, type PlatformEvent, type Reloaded, reloadText } from '../dev/events.ts'
import { hasErrors } from '../diagnostics/diagnostic.ts'
import { counted } from '../model/names.ts'
import type { Context } from './context.ts'
import { reportDiagnostics } from './report.ts'
import type { Step } from './step.ts'

/** What `dev` shows while it runs. */
export interface DevLog {
  readonly show: OnEvent
  /** Ends the steps of the start with these lines. */
  ready(lines: readonly string[]): void
  /** Leaves no step behind. */
  end(): void
}

/** The column of names grows with the longest up to this. */
const MAX_NAME = 24
const MOST_ERRORS = 20

/** The log on standard error of a platform whose definition the user calls `file`. */
export function createDevLog(file: string, context: Context): DevLog {
  const { colors } = context
  let step: Step | undefined
  let stepText = ''
  let isReady = false
  let width = 'gateway'.length

  /** Lines may come in the middle of a step: its spinner makes room. */
  function write(line: string): void {
    const hasSpinner = step !== undefined && context.stderr.isTTY === true
    if (hasSpinner) step?.stop()
    context.report(line)
    if (hasSpinner) step = context.step(stepText)
  }

  function named(name: string | undefined, text: string): void {
    if (name === undefined) return write(text)
    width = Math.min(MAX_NAME, Math.max(width, name.length))
    for (const line of text.split('\n'))
      write(`${colors.cyan(name.padEnd(width))} ${colors.dim('|')} ${line}`)
    return undefined
  }

  function show(event: PlatformEvent): void {
    switch (event.kind) {
      case 'progress':
        stepText = event.text
        if (step === undefined) step = context.step(stepText)
        else step.update(stepText)
        break
      case 'notice':
        if (!context.quiet) named(event.service, event.text)
        break
      case 'problem':
        named(event.service, colors.red(event.text))
        break
      case 'line':
        showLine(event)
        break
      case 'request':
        if (!context.quiet) named('gateway', requestText(event.request))
        break
      case 'checked':
        reportDiagnostics(
          { definition: { name: file, text: event.text }, diagnostics: event.diagnostics },
          context,
        )
        if (isReady && hasErrors(event.diagnostics)) write('The platform runs on as it was.')
        break
      case 'health':
        // What a user has to know of it comes as a problem or a notice.
        break
      case 'types':
        showTypes(event.errors)
        break
      case 'reloaded':
        showReload(event)
        break
      default:
        event satisfies never
    }
  }

  function showLine({ service, line }: PlatformEvent & { kind: 'line' }): void {
    const isGrave = line.level === 'error' || line.level === 'warn'
    if (context.quiet && !isGrave) return
    const fields = line.fields.map(([name, value]) => ` ${colors.dim(`${name}=`)}${printable(value)}`)
    const message = printable(line.message)
    const coloured = line.level === 'error' ? colors.red(message) : isGrave ? colors.yellow(message) : message
    named(service, `${coloured}${fields.join('')}`)
    for (const place of line.places) named(service, colors.dim(`    ${printable(place)}`))
  }

  function requestText({
    method,
    path,
    status,
    milliseconds,
  }: (PlatformEvent & { kind: 'request' })['request']): string {
    const time = colors.dim(`${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`)
    return `${method.padEnd(6)} ${path} ${statusText(status)} ${time}`
  }

  function statusText(status: number): string {
    if (status === 0) return colors.yellow('aborted')
    const text = String(status)
    if (status >= 500) return colors.red(text)
    return status >= 400 ? colors.yellow(text) : colors.green(text)
  }

  function showTypes(errors: (PlatformEvent & { kind: 'types' })['errors']): void {
    if (errors.length === 0) return write(colors.green('No type errors any more.'))
    for (const { file: place, line, column, code, message } of errors.slice(0, MOST_ERRORS))
      write(`${colors.red('type error')} ${colors.dim(code)} ${message}\n  ${place}:${line}:${column}`)
    if (errors.length > MOST_ERRORS)
      write(`and ${counted(errors.length - MOST_ERRORS, 'further type error')}`)
    return undefined
  }

  function showReload(event: Reloaded): void {
    if (context.quiet) return
    write(`${colors.green('✔')} ${reloadText(event)} (${Math.round(event.milliseconds)} ms)`)
  }

  function end(): void {
    step?.stop()
    step = undefined
  }

  return {
    show,
    ready: (lines) => {
      end()
      isReady = true
      for (const line of lines) context.say(line)
    },
    end,
  }
}

/** What services print may hold what clients sent: nothing of it may steer the terminal. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '\uFFFD')
}
