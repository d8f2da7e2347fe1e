import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { WorkspaceFolder } from 'vscode-languageserver-protocol/node'
import { hundred } from '../../scripts/hundred-definition.ts'
import { type Figure, round } from '../figures.ts'
import { openIn, p95, type Subject } from './server.ts'

const SERVICES = 100
const FILES = 20
const EDITS = 60

/**
 * Measures an edit in one file of a definition of many, compared with the same edit in a definition of one file.
 *
 * @param server how it is started, and the edits
 * @param editOf makes one of the edits
 */
export async function measureFiles(
  directory: string,
  server: { readonly command: readonly string[] } & Pick<Subject, 'right' | 'wrong'>,
  editOf: (subject: Subject, turn: number) => Promise<number>,
): Promise<Figure> {
  const text = hundred(SERVICES)
  const one = join(directory, 'one')
  const many = join(directory, 'many')
  const [first] = inFiles(text)
  if (first === undefined) throw new Error('The definition has no services')
  writeAll(one, [['stays.portico', text]])
  writeAll(many, [
    ['stays.portico', mainFile(text)],
    ...inFiles(text).map((part, index) => [`part${index}.portico`, part] as const),
  ])
  const { subject: single } = await openIn(
    server.command,
    join(one, 'stays.portico'),
    text,
    server,
    workspaceOf(one),
  )
  const { subject: split } = await openIn(
    server.command,
    join(many, 'part0.portico'),
    first,
    server,
    workspaceOf(many),
  )
  const times = { single: [] as number[], split: [] as number[] }
  for (let turn = 0; turn < EDITS; turn++) {
    times.single.push(await editOf(single, turn))
    times.split.push(await editOf(split, turn))
  }
  await single.client.stop()
  await split.client.stop()
  const [own, other] = [p95(times.split), p95(times.single)]
  return {
    what: `editor: edit until diagnostics, ${SERVICES} services in ${FILES} files, compared with one file, p95`,
    value: own / other,
    unit: 'x',
    must: { atMost: 1.5 },
    detail: `${round(own)} ms, compared with ${round(other)} ms, ${EDITS} edits each`,
  }
}

function workspaceOf(folder: string): WorkspaceFolder[] {
  return [{ uri: pathToFileURL(folder).href, name: 'definition' }]
}

/** The blocks of a definition; the first one is the project. */
function blocksOf(text: string): string[] {
  return text.trimEnd().split(/\n\n(?=(?:\/\/\/[^\n]*\n)?[A-Z]\w*: service)/)
}

function mainFile(text: string): string {
  const imports = inFiles(text).map((_, index) => `import "part${index}.portico";\n`)
  return `${imports.join('')}\n${blocksOf(text)[0] ?? ''}\n`
}

/** The services, in files of the same number. */
function inFiles(text: string): string[] {
  const services = blocksOf(text).slice(1)
  const size = Math.ceil(services.length / FILES)
  return Array.from(
    { length: FILES },
    (_, index) => `${services.slice(index * size, (index + 1) * size).join('\n\n')}\n`,
  )
}

function writeAll(folder: string, files: readonly (readonly [name: string, text: string])[]): void {
  mkdirSync(folder)
  for (const [name, text] of files) writeFileSync(join(folder, name), text)
}
