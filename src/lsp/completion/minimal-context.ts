import type { DiagnosticCode } from '../../diagnostics/catalogue.ts'
import { isInnerKind, METHODS } from '../../language/builtins.ts'
import { canonicalWords } from '../../language/argument-binding.ts'
import {
  type Block,
  type Definition,
  type Endpoint,
  isAttribute,
  isBlock,
  isMetadata,
  isStruct,
  type Metadata,
} from '../../language/generated/ast.ts'
import { kindOf, spanOf } from '../../language/nodes.ts'
import { checkText } from '../../language/parse.ts'
import { hasParseError } from '../../language/parser/parse-errors.ts'
import { definitionIndex } from '../../language/validation/definition-index.ts'
import type { Cursor } from './placeholder.ts'

/** The diagnostics that a candidate causes. */
export interface CheckOutcome {
  /** Codes of the errors. */
  readonly errors: readonly string[]
  /** It repeats a default. */
  readonly isRedundant: boolean
}

/** What a candidate requires elsewhere in the definition. */
export interface Prerequisites {
  /** Metadata that is added to the project. */
  readonly inProject?: string
  /** Names of services that must exist. */
  readonly services?: readonly string[]
  /** An error that another declaration will remove. */
  readonly awaited?: DiagnosticCode | undefined
}

const AUTHENTICATION_NAME = /^Auth(DB|Db)?$/

/**
 * A definition of a few lines in which the metadata of a block has the same meaning as in the whole definition,
 * however large: the project, the block, and one service for each combination of access metadata of the others. The
 * validation of this definition decides which candidates are valid.
 */
export class MinimalContext {
  readonly #container: Block
  readonly #definition: Definition
  readonly #text: string
  readonly #current: Metadata | undefined
  readonly #others: string
  readonly #now: CheckOutcome

  /**
   * @param container the block that candidates are for
   * @param current the metadata that candidates replace
   */
  constructor({ parseResult, word }: Cursor, container: Block, current: Metadata | undefined) {
    this.#container = container
    this.#definition = parseResult.value
    this.#text = parseResult.text
    this.#current = current
    this.#others = othersText(this.#definition, container)
    this.#now = this.#outcomeNow(word.end)
  }

  /** The outcome for metadata that replaces the current one; `undefined` if it causes a new error. */
  accept(metadata: string, requirements?: Prerequisites): CheckOutcome | undefined {
    const outcome = this.#check(`${metadata};`, requirements)
    const known = [...this.#now.errors]
    for (const code of outcome.errors) {
      if (code === requirements?.awaited) continue
      const index = known.indexOf(code)
      if (index < 0) return undefined
      known.splice(index, 1)
    }
    return outcome
  }

  /** The outcome for the unchanged text, without the current metadata if that is incomplete or unknown. */
  #outcomeNow(wordEnd: number): CheckOutcome {
    if (this.#current !== undefined) {
      const { start, end } = spanOf(this.#current)
      const outcome = this.#check(withoutLineComments(this.#text.slice(start, Math.max(end, wordEnd))))
      if (!outcome.errors.some((code) => INCOMPLETE.has(code))) return outcome
    }
    return this.#check('')
  }

  #check(metadata: string, { inProject = '', services = [] }: Prerequisites = {}): CheckOutcome {
    const { project } = definitionIndex(this.#definition)
    const isProject = this.#container.$type === 'Project'
    const own = `${this.#metadataOf(this.#container)} ${metadata}`
    const blocks = [
      isProject ? `P: project { ${own} ${inProject} }\n` : '',
      project === undefined || isProject ? '' : `P: project { ${this.#metadataOf(project)} ${inProject} }\n`,
      isProject ? '' : this.#block(own),
      ...services.filter((name) => name !== this.#container.name).map((name) => `${name}: service {}\n`),
    ]
    const text = blocks.join('') + this.#others
    return outcomeOf(text, text.indexOf(own) + own.length - metadata.length)
  }

  #block(content: string): string {
    const { name } = this.#container
    const kind = kindOf(this.#container)
    const block = `${name === '' ? 'Unnamed' : name}: ${kind} { ${content} }\n`
    if (this.#container.$type === 'Endpoint') return this.#aroundEndpoint(this.#container, content)
    return isInnerKind(kind) ? `Parent: service { ${block} }\n` : block
  }

  /** An endpoint needs a path, and the parameters of its path. */
  #aroundEndpoint({ name, members, $container: service }: Endpoint, content: string): string {
    const attributes = members.filter(isAttribute).map((each) => {
      const { start, end } = spanOf(each)
      return `${withoutLineComments(this.#text.slice(start, end))};`
    })
    const own = [...attributes, content].join(' ')
    const path = METHODS.some((method) => own.includes(`#${method}(`)) ? '' : '#get("minimal/context");'
    const structs = isBlock(service)
      ? service.members.filter(isStruct).map((each) => `${each.name}: struct {}`)
      : []
    const around = isBlock(service) ? service.name : 'Parent'
    return `${around}: service { ${structs.join(' ')} ${name}: endpoint { ${path} ${own} } }\n`
  }

  #metadataOf(block: Block): string {
    return (
      block.members
        .filter((member) => isMetadata(member) && member !== this.#current && !hasParseError(member))
        // The minimal definition has neither the services nor the attributes that they list.
        .filter(({ name }) => name !== 'uses' && name !== 'unique')
        .map((member) => {
          const { start, end } = spanOf(member)
          return `${withoutLineComments(this.#text.slice(start, end))};`
        })
        .join(' ')
    )
  }
}

/** Cached outcomes by text. The same texts are checked again for each letter that the user types. */
const outcomes = new Map<string, CheckOutcome>()
const MAX_OUTCOMES = 1000

/** The outcome for a text with the candidate at the offset `at`. */
function outcomeOf(text: string, at: number): CheckOutcome {
  const known = outcomes.get(text)
  if (known !== undefined) return known
  const { diagnostics } = checkText(text)
  const outcome: CheckOutcome = {
    errors: diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
    isRedundant: diagnostics.some(
      ({ code, range }) => code === 'redundant-metadata' && range.start.offset === at,
    ),
  }
  if (outcomes.size >= MAX_OUTCOMES) outcomes.clear()
  outcomes.set(text, outcome)
  return outcome
}

/** The codes that incomplete metadata causes. */
const INCOMPLETE: ReadonlySet<string> = new Set([
  'unexpected-token',
  'missing-token',
  'missing-value',
  'unknown-value',
  'unknown-role',
  'unknown-metadata',
  'unclosed-block',
])

/** On one line, a line comment would hide what follows. */
function withoutLineComments(text: string): string {
  return text.replace(/\/\/[^\n\r]*/g, '')
}

/** Services that represent all others: one for each combination of access, and one with a reserved name. */
function othersText(definition: Definition, container: Block): string {
  const combinations = new Set<string>()
  let reserved = ''
  for (const service of definitionIndex(definition).services) {
    if (service.name === container.name) continue
    combinations.add(accessOf(service))
    if (AUTHENTICATION_NAME.test(service.name)) reserved = `${service.name}: service {}\n`
  }
  const services = [...combinations].map((access, index) => `Other${index}Of: service { ${access} }\n`)
  return services.join('') + reserved
}

const accessByService = new WeakMap<Block, string>()

/** The metadata of a service that affects other blocks. Most services have none. */
function accessOf(service: Block): string {
  let access = accessByService.get(service)
  if (access === undefined) accessByService.set(service, (access = accessText(service)))
  return access
}

function accessText(service: Block): string {
  const found = new Map<string, string>()
  for (const metadata of service.members) {
    if (!isMetadata(metadata) || found.has(metadata.name) || hasParseError(metadata)) continue
    if (metadata.name === 'auth') found.set('auth', '#auth;')
    else if (metadata.name === 'readable' || metadata.name === 'writable') {
      const words = canonicalWords(metadata)
      if (words.length > 0) found.set(metadata.name, `#${metadata.name}[${words.join(', ')}];`)
    }
  }
  return [...found.values()].toSorted().join(' ')
}
