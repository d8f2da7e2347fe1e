import { canonicalWords } from '../../calls.ts'
import type { Block, Metadata } from '../../generated/ast.ts'
import { checkText } from '../../parse.ts'
import { isBroken, spanOf } from '../../syntax/places.ts'
import type { Read } from '../../syntax/read.ts'
import { knownFacts } from '../definition-facts.ts'

/** What the language says of one way to go on. */
export interface Verdict {
  /** Codes of the errors. */
  readonly errors: readonly string[]
  /** It says what holds anyway. */
  readonly isRedundant: boolean
}

const OF_ACCESS: ReadonlySet<string> = new Set(['auth', 'readable', 'writable'])
const AUTHENTICATION_NAME = /^Auth(DB|Db)?$/

/**
 * A definition of a few lines in which the metadata of one block means what it means in the whole one, however
 * large that is: the project, the block, and one service for each combination of access that others have. What
 * may be offered there is what the checks of the language have no new error for.
 */
export class Epitome {
  readonly #holder: Block
  readonly #read: Read
  readonly #others: string

  constructor(read: Read, holder: Block) {
    this.#read = read
    this.#holder = holder
    const combinations = combinationsOf(read)
    const own = holder.kind === 'service' ? combinationOf(holder) : undefined
    this.#others = [...combinations]
      .filter(([combination, count]) => count > (combination === own ? 1 : 0))
      .map(([combination], index) => `Other${index}Of: service { ${combination} }\n`)
      .join('')
      .concat(namesake(read, holder))
  }

  /**
   * What the checks say with these statements in the block in place of its metadata `except`, and with
   * `inProject` in the project block. `stubs` are names of services that the statements speak of.
   */
  judge(
    statement: string,
    except: Metadata | undefined,
    { inProject = '', stubs = [] }: { readonly inProject?: string; readonly stubs?: readonly string[] } = {},
  ): Verdict {
    const { project } = knownFacts(this.#read)
    const isProject = this.#holder === project
    const own = `${metadataText(this.#holder, except)} ${statement}`
    const ofProject = project === undefined || isProject ? '' : metadataText(project, except)
    const blocks = [
      project === undefined ? '' : `P: project { ${isProject ? own : ofProject} ${inProject} }\n`,
      isProject ? '' : this.#block(own),
      ...[...new Set(stubs)]
        .filter((name) => name !== this.#holder.name)
        .map((name) => `${name}: service {}\n`),
    ]
    const text = blocks.join('') + this.#others
    const at = text.indexOf(own) + own.length - statement.length
    const { diagnostics } = checkText(text)
    return {
      errors: diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
      isRedundant: diagnostics.some(
        ({ code, range }) => code === 'redundant-metadata' && range.start.offset === at,
      ),
    }
  }

  #block(content: string): string {
    const { name, kind } = this.#holder
    const block = `${name === '' ? 'Unnamed' : name}: ${kind} { ${content} }\n`
    return kind === 'struct' ? `Parent: service { ${block} }\n` : block
  }
}

/** Whether going on that way brings an error that is not there now. */
export function bringsError(now: Verdict, then: Verdict): boolean {
  const left = [...now.errors]
  return then.errors.some((code) => {
    const index = left.indexOf(code)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

function metadataText(block: Block, except: Metadata | undefined): string {
  return block.members
    .filter((member) => member.$type === 'Metadata' && member !== except && !isBroken(member))
    .filter((member) => member.name !== 'uses')
    .map((member) => `${textOf(member as Metadata)};`)
    .join(' ')
}

function textOf(metadata: Metadata): string {
  const { start, end } = spanOf(metadata)
  const { text } = (metadata as unknown as { $tree: Read['tree'] }).$tree
  // A line comment in it would swallow what follows.
  return text.slice(start, end).replace(/\/\/[^\n\r]*/g, '')
}

const combinationsByRead = new WeakMap<Read, ReadonlyMap<string, number>>()

/** How many services there are of each combination; of those in it one would do. */
function combinationsOf(read: Read): ReadonlyMap<string, number> {
  let known = combinationsByRead.get(read)
  if (known === undefined) {
    const counts = new Map<string, number>()
    for (const block of knownFacts(read).blocks) {
      if (block.kind !== 'service') continue
      const combination = combinationOf(block)
      counts.set(combination, (counts.get(combination) ?? 0) + 1)
    }
    known = counts
    combinationsByRead.set(read, known)
  }
  return known
}

/** What of a service matters to the metadata of other blocks. Most of them have none of it. */
function combinationOf(block: Block): string {
  if (!block.members.some((member) => member.$type === 'Metadata' && OF_ACCESS.has(member.name))) return ''
  const found = new Map<string, string>()
  for (const metadata of block.members) {
    if (metadata.$type !== 'Metadata' || found.has(metadata.name) || isBroken(metadata)) continue
    if (metadata.name === 'auth') found.set('auth', '#auth;')
    else if (metadata.name === 'readable' || metadata.name === 'writable') {
      const [word] = canonicalWords(metadata)
      if (word !== undefined) found.set(metadata.name, `#${metadata.name}(by: ${word});`)
    }
  }
  return [...found.values()].toSorted().join(' ')
}

/** A service that cannot be called so where there is authentication. */
function namesake(read: Read, holder: Block): string {
  const found = knownFacts(read).blocks.find(
    (block) => block !== holder && block.kind === 'service' && AUTHENTICATION_NAME.test(block.name),
  )
  return found === undefined ? '' : `${found.name}: service {}\n`
}
