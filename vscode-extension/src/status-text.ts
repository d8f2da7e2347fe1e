import { counted } from '../../src/naming.ts'

/** What the status bar shows. */
export interface Status {
  /** The problems of the definition in the active editor; `undefined` if it does not contain one. */
  readonly problems: Problems | undefined
  readonly platforms: readonly RunningPlatform[]
}

export interface Problems {
  readonly errors: number
  readonly warnings: number
  /** Whether the file belongs to no definition. */
  readonly isNotImported: boolean
}

/** A platform that was started and has not stopped. */
export interface RunningPlatform {
  /** The file name of its definition. */
  readonly name: string
  /** `host:port`; `undefined` while it starts. */
  readonly address: string | undefined
}

export interface StatusText {
  /** With icons, as `$(name)`. */
  readonly text: string
  /** Markdown. */
  readonly tooltip: string
  /** The label for screen readers. */
  readonly label: string
}

/** Returns the text of the status bar item; `undefined` to hide it. */
export function statusText({ problems, platforms }: Status): StatusText | undefined {
  if (problems === undefined && platforms.length === 0) return undefined
  const parts = [...problemParts(problems), ...platforms.map(platformPart)]
  const descriptions = parts.map(({ description }) => description)
  return {
    text: `Portico ${parts.map(({ text }) => text).join('  ')}`,
    tooltip: ['**Portico**', ...descriptions, 'Click to show the menu.'].join('\n\n'),
    label: ['Portico', ...descriptions].join(', '),
  }
}

interface Part {
  readonly text: string
  readonly description: string
}

function problemParts(problems: Status['problems']): Part[] {
  if (problems === undefined) return []
  const { errors, warnings, isNotImported } = problems
  const parts = [
    { number: errors, icon: 'error', noun: 'error' },
    { number: warnings, icon: 'warning', noun: 'warning' },
  ].filter(({ number }) => number > 0)
  if (parts.length === 0 && isNotImported)
    return [{ text: '$(circle-slash)', description: 'No definition imports this file' }]
  if (parts.length === 0) return [{ text: '$(check)', description: 'The definition is valid' }]
  return parts.map(({ number, icon, noun }) => ({
    text: `$(${icon}) ${number}`,
    description: counted(number, noun),
  }))
}

function platformPart({ name, address }: RunningPlatform): Part {
  if (address === undefined) return { text: '$(loading~spin) starting', description: `${name} is starting` }
  return { text: `$(broadcast) ${address}`, description: `${name} is running at ${address}` }
}
