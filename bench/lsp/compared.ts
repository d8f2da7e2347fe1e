import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DocumentSymbolRequest, RenameRequest } from 'vscode-languageserver-protocol/node'
import { type Figure, median, round } from '../figures.ts'
import { prismaModel, prismaServer } from './prisma.ts'
import { openIn, type Subject } from './server.ts'

const ROUNDS = 15
const WARM_UP = 8
/** Their server needs seconds to rename a model that every other one refers to. */
const MODEL_ROUNDS = 3
/** In milliseconds. Garbage of a request is collected after the response, too. */
const PAUSE = 30

type Ask = (subject: Subject) => Promise<unknown>

/**
 * Measures renaming and document symbols, compared with Prisma's server and a model of the same size. Each request
 * follows an edit. What counts is the CPU time of the server, because the client needs as long to read the symbols of
 * all attributes, which Prisma's server does not send.
 *
 * @param ours has the definition open
 */
export async function measurePrisma(directory: string, ours: Subject): Promise<Figure[]> {
  const model = prismaModel(ours.client.document(ours.uri).getText())
  const file = join(directory, 'model.prisma')
  writeFileSync(file, model)
  const mistake = { right: 'DateTime @db.Date', wrong: 'DateTlme @db.Date' }
  const { subject: theirs } = await openIn([prismaServer(), '--stdio'], file, model, mistake)
  const figures = [
    await compared('rename of a service with 1,000 references', 2, ours, theirs, MODEL_ROUNDS, (subject) =>
      renamed(subject, /^(?:model )?Member\b/m, 'Person'),
    ),
    await compared('rename of an attribute', 2, ours, theirs, ROUNDS, (subject) =>
      renamed(subject, /Order26\b.* \{(?:\n.*)??\n {2}title/, 'heading'),
    ),
    await compared('document symbols', 1.5, ours, theirs, ROUNDS, ({ client, uri }) =>
      client.request(DocumentSymbolRequest.type, { textDocument: { uri } }),
    ),
  ]
  await theirs.client.stop()
  return figures
}

async function renamed({ client, uri }: Subject, name: RegExp, newName: string): Promise<unknown> {
  const found = name.exec(client.document(uri).getText())
  if (found === null) throw new Error(`${name.source} is not in the text`)
  const position = client.at(uri, found.index + found[0].length - 1)
  const edit = await client.request(RenameRequest.type, { ...position, newName })
  if (!edit?.changes?.[uri]?.length) throw new Error(`${found[0]} was not renamed`)
  return edit
}

async function compared(
  what: string,
  atMost: number,
  ours: Subject,
  theirs: Subject,
  rounds: number,
  ask: Ask,
): Promise<Figure> {
  const own: number[] = []
  const other: number[] = []
  const warmUp = Math.min(WARM_UP, rounds)
  for (let turn = -warmUp; turn < rounds; turn++) {
    const [first, second] = [await cpuOf(ours, ask), await cpuOf(theirs, ask)]
    if (turn < 0) continue
    own.push(first)
    other.push(second)
  }
  return {
    what: `editor: ${what}, 1,000 services, compared with Prisma's server`,
    value: median(own) / median(other),
    unit: 'x',
    must: { atMost },
    detail: `${round(median(own))} ms of CPU time, compared with ${round(median(other))} ms, ${rounds} requests each`,
  }
}

/** The CPU time of a request, in milliseconds. Before it, all lines move: an empty one is added above, or removed. */
async function cpuOf(subject: Subject, ask: Ask): Promise<number> {
  const { client, uri } = subject
  const isMoved = client.document(uri).getText().startsWith('\n')
  client.published.length = 0
  await client.edit(uri, isMoved ? '' : '\n', 0, isMoved ? 1 : 0)
  await client.publication((params) => params.uri === uri)
  await pause()
  const before = cpuMs(subject)
  await ask(subject)
  await pause()
  return cpuMs(subject) - before
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE))
}

/** The CPU time of all threads of the server so far. */
function cpuMs({ client }: Subject): number {
  const tasks = `/proc/${client.child.pid}/task`
  const times = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1e6
}
