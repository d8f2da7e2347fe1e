import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A command of a README and what the README says it prints. */
export interface Step {
  readonly command: string
  readonly answer: string
}

/** The gateway as READMEs write it. */
const GATEWAY = 'localhost:8080'
const BLOCK = /^```console\n([\s\S]*?)^```$/gm
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g
const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g

/** The steps in the `console` blocks of a README: lines after `$ `, those after `> ` belonging to the same command. */
export function readSteps(markdown: string): Step[] {
  const steps: { command: string; answer: string }[] = []
  for (const [, block = ''] of markdown.matchAll(BLOCK)) {
    for (const line of block.split('\n').slice(0, -1)) {
      const last = steps.at(-1)
      if (line.startsWith('$ ')) steps.push({ command: line.slice(2), answer: '' })
      else if (last === undefined) throw new Error(`No command before: ${line}`)
      else if (line.startsWith('> ') && last.answer === '') last.command += `\n${line.slice(2)}`
      else last.answer += `${line}\n`
    }
  }
  return steps
}

/** Runs the steps in one shell against the gateway, and gives what each printed. */
export async function runSteps(steps: readonly Step[], gateway: string): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-readme-'))
  try {
    const script = steps.map(
      ({ command }, index) => `{ ${command.replaceAll(GATEWAY, gateway)}\n} > ${directory}/${index} 2>&1\n`,
    )
    await writeFile(join(directory, 'script'), script.join(''))
    await new Promise<void>((resolve) => {
      execFile('bash', [join(directory, 'script')], { timeout: 60_000, cwd: directory }, () => resolve())
    })
    const printed = steps.map((_, index) => readFile(join(directory, String(index)), 'utf8').catch(() => ''))
    return (await Promise.all(printed)).map((text) => endLine(text).replaceAll(gateway, GATEWAY))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** A text in which ids, tokens and points in time, which no two runs share, are one word each. */
export function shape(text: string): string {
  const steady = text.replace(TOKEN, '<token>').replace(UUID, '<id>').replace(INSTANT, '<instant>')
  return steady.trimEnd()
}

/** The README with the answers that were printed, where they differ in more than ids, tokens and times. */
export function withAnswers(markdown: string, printed: readonly string[]): string {
  const steps = readSteps(markdown)
  let index = 0
  return markdown.replace(BLOCK, (block) => {
    const count = readSteps(block).length
    const lines = steps.slice(index, index + count).map(({ command, answer }, offset) => {
      const now = printed[index + offset] ?? ''
      const kept = shape(now) === shape(answer) ? answer : now
      return `$ ${command.replaceAll('\n', '\n> ')}\n${kept}`
    })
    index += count
    return `\`\`\`console\n${lines.join('')}\`\`\``
  })
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
