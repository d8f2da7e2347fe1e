/** What the status bar has to say. */
export interface Standing {
  /** Of the definition in the active editor; `undefined` where it holds none. */
  readonly problems: { readonly errors: number; readonly warnings: number } | undefined
  readonly platforms: readonly RunningPlatform[]
}

/** A platform that was started and has not ended yet. */
export interface RunningPlatform {
  /** The file name of its definition. */
  readonly name: string
  /** `host:port`; `undefined` until it answers. */
  readonly address: string | undefined
}

export interface StatusText {
  /** With icons, as `$(name)`. */
  readonly text: string
  /** In Markdown. */
  readonly tooltip: string
  /** What a screen reader says. */
  readonly label: string
}

/** The status bar item; `undefined` where there is nothing to say. */
export function statusText({ problems, platforms }: Standing): StatusText | undefined {
  if (problems === undefined && platforms.length === 0) return undefined
  const parts = [...problemParts(problems), ...platforms.map(platformPart)]
  const words = parts.map(({ words: one }) => one)
  return {
    text: `Portico ${parts.map(({ text }) => text).join('  ')}`,
    tooltip: ['**Portico**', ...words, 'Click for what can be done.'].join('\n\n'),
    label: ['Portico', ...words].join(', '),
  }
}

interface Part {
  readonly text: string
  readonly words: string
}

function problemParts(problems: Standing['problems']): Part[] {
  if (problems === undefined) return []
  const { errors, warnings } = problems
  const parts = [
    { number: errors, icon: 'error', word: 'error' },
    { number: warnings, icon: 'warning', word: 'warning' },
  ].filter(({ number }) => number > 0)
  if (parts.length === 0) return [{ text: '$(check)', words: 'The definition is valid' }]
  return parts.map(({ number, icon, word }) => ({
    text: `$(${icon}) ${number}`,
    words: `${number} ${word}${number === 1 ? '' : 's'}`,
  }))
}

function platformPart({ name, address }: RunningPlatform): Part {
  if (address === undefined) return { text: '$(loading~spin) starting', words: `${name} is starting` }
  return { text: `$(play) ${address}`, words: `${name} runs at ${address}` }
}
