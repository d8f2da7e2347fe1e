import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A command of a README, and its output there. */
export interface Step {
  readonly command: string
  readonly output: string
}

/** The gateway as READMEs write it. */
const GATEWAY = 'localhost:8080'
const BLOCK = /^```(console(?: platform)?)\n([\s\S]*?)^```$/gm
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g
/** How long something took: `(1.6 s)`. */
const DURATION = /\(\d+(?:\.\d+)? m?s\)/g
const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g

/** The steps in the `console` blocks of a README: a command begins with `$ `, its further lines with `> `. */
export function readSteps(markdown: string): Step[] {
  const steps: { command: string; output: string }[] = []
  for (const [, , block = ''] of markdown.matchAll(BLOCK)) {
    for (const line of block.split('\n').slice(0, -1)) {
      const last = steps.at(-1)
      if (line.startsWith('$ ')) steps.push({ command: line.slice(2), output: '' })
      else if (last === undefined) throw new Error(`No command before: ${line}`)
      else if (line.startsWith('> ') && last.output === '') last.command += `\n${line.slice(2)}`
      else last.output += `${line}\n`
    }
  }
  return steps
}

/** Runs the steps in one shell against the gateway, and returns the output of each. */
export async function runSteps(
  steps: readonly Step[],
  gateway: string,
  { cwd, timeoutMs = 60_000 }: { readonly cwd?: string; readonly timeoutMs?: number } = {},
): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-readme-'))
  try {
    const script = steps.map(
      ({ command }, index) => `{ ${command.replaceAll(GATEWAY, gateway)}\n} > ${directory}/${index} 2>&1\n`,
    )
    await writeFile(join(directory, 'script'), script.join(''))
    await new Promise<void>((resolve) => {
      execFile('bash', [join(directory, 'script')], { timeout: timeoutMs, cwd: cwd ?? directory }, () =>
        resolve(),
      )
    })
    const printed = steps.map((_, index) => readFile(join(directory, String(index)), 'utf8').catch(() => ''))
    return (await Promise.all(printed)).map((text) => endLine(text).replaceAll(gateway, GATEWAY))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** A text with placeholders for what differs in every run: ids, tokens, times and durations. */
export function shape(text: string): string {
  const stable = text
    .replace(TOKEN, '<token>')
    .replace(UUID, '<id>')
    .replace(INSTANT, '<instant>')
    .replace(DURATION, '(<duration>)')
  return stable.trimEnd()
}

/** The README with the new output of its commands, where it differs in more than ids, tokens, times and durations. */
export function withOutput(markdown: string, printed: readonly string[]): string {
  const steps = readSteps(markdown)
  let index = 0
  return markdown.replace(BLOCK, (block, language: string) => {
    const count = readSteps(block).length
    const lines = steps.slice(index, index + count).map(({ command, output }, offset) => {
      const now = printed[index + offset] ?? ''
      const kept = shape(now) === shape(output) ? output : now
      return `$ ${command.replaceAll('\n', '\n> ')}\n${kept}`
    })
    index += count
    return `\`\`\`${language}\n${lines.join('')}\`\`\``
  })
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
