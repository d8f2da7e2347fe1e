import {
  type OnEvent,
  type PlatformEvent,
  type PlatformReloaded,
  reloadText,
  UNCHANGED,
} from '../dev/events.ts'
import { hasErrors } from '../diagnostics/diagnostic.ts'
import { counted } from '../naming.ts'
import type { Context } from './context.ts'
import { reportDiagnostics, withoutHints } from './report.ts'
import type { ProgressStep } from './progress-step.ts'
import { stripEscapes } from './terminal-text.ts'

/** The log of `portico dev`. */
export interface DevLog {
  readonly show: OnEvent
  /** Ends the start's steps and prints these lines. */
  ready(lines: readonly string[]): void
  /** Ends the current step. */
  end(): void
  /** Keeps everything back while a question is on the screen. Returns a function that shows it. */
  hold(): () => void
}

/** The widest column of service names. */
const MAX_NAME = 24
const MAX_ERRORS = 20

/** Creates the log of a platform on standard error. `file` is the definition as the user named it. */
export function createDevLog(file: string, context: Context): DevLog {
  const { colors } = context
  let step: ProgressStep | undefined
  let stepText = ''
  let isReady = false
  /** What is kept back. */
  let held: string[] | undefined
  let width = 'gateway'.length

  /** Hides the spinner of a step while a line is printed. */
  function write(line: string): void {
    if (held !== undefined) return void held.push(line)
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
        if (!context.quiet) named(event.service, stripEscapes(event.text))
        break
      case 'problem':
        named(event.service, colors.red(stripEscapes(event.text)))
        break
      case 'line':
        showLine(event)
        break
      case 'request':
        if (!context.quiet) named('gateway', requestText(event.request))
        break
      case 'checked':
        reportDiagnostics(
          { name: file, result: event.result, diagnostics: withoutHints(event.diagnostics) },
          context,
        )
        if (isReady && hasErrors(event.diagnostics)) write(UNCHANGED)
        break
      case 'health':
        // Problems and notices tell the user what matters.
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
    const isWarning = line.level === 'error' || line.level === 'warn'
    if (context.quiet && !isWarning) return
    const fields = line.fields.map(([name, value]) => ` ${colors.dim(`${name}=`)}${stripEscapes(value)}`)
    const message = stripEscapes(line.message)
    const colored =
      line.level === 'error' ? colors.red(message) : isWarning ? colors.yellow(message) : message
    named(service, `${colored}${fields.join('')}`)
    for (const frame of line.frames) named(service, colors.dim(`    ${stripEscapes(frame)}`))
  }

  function requestText({
    method,
    path,
    status,
    milliseconds,
  }: (PlatformEvent & { kind: 'request' })['request']): string {
    const time = colors.dim(`${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`)
    return `${method.padEnd(6)} ${stripEscapes(path)} ${statusText(status)} ${time}`
  }

  function statusText(status: number): string {
    if (status === 0) return colors.yellow('aborted')
    const text = String(status)
    if (status >= 500) return colors.red(text)
    return status >= 400 ? colors.yellow(text) : colors.green(text)
  }

  function showTypes(errors: (PlatformEvent & { kind: 'types' })['errors']): void {
    if (errors.length === 0) return write(colors.green('No more type errors'))
    for (const { file: place, line, column, code, message } of errors.slice(0, MAX_ERRORS))
      write(
        `${colors.red('type error')} ${colors.dim(code)} ${stripEscapes(message)}\n  ${stripEscapes(place)}:${line}:${column}`,
      )
    if (errors.length > MAX_ERRORS) write(`and ${counted(errors.length - MAX_ERRORS, 'more type error')}`)
    return undefined
  }

  function showReload(event: PlatformReloaded): void {
    if (context.quiet) return
    const mark = event.failed.length === 0 ? colors.green('✔') : colors.red('✖')
    write(`${mark} ${reloadText(event)} (${Math.round(event.milliseconds)} ms)`)
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
    hold: () => {
      const hasStep = step !== undefined
      end()
      held = []
      return () => {
        const lines = held ?? []
        held = undefined
        for (const line of lines) context.report(line)
        if (hasStep) step = context.step(stepText)
      }
    },
  }
}
