import { canonicalWords, metadataWords, optionWords, wordText } from '../argument-binding.ts'
import {
  type DatabaseServerKind,
  DEFAULT_DATABASE_SERVER,
  DEFAULT_LANGUAGE,
  type Language,
  type MetadataName,
} from '../builtins.ts'
import {
  type Attribute,
  type Block,
  type Definition,
  isBlock,
  isMetadata,
  isProject,
  isService,
  type Metadata,
  type Project,
  type Service,
  isSetting,
  type Setting,
} from '../generated/ast.ts'
import { isNamedInService } from '../nodes.ts'

/** The declarations of a definition. */
export interface DefinitionIndex {
  /** The first project block. */
  readonly project: Project | undefined
  readonly authMethod: Setting | undefined
  /** The roles of `#roles`, also where it is misplaced, in the order of the text. */
  readonly roles: ReadonlySet<string>
  /** Every `#auth` of a service, in the order of the text. */
  readonly auths: readonly Setting[]
  /** All services, including misplaced ones, in the order of the text. */
  readonly services: readonly Service[]
  /** Every block, nested ones included, in the order of the text. */
  readonly blocks: readonly Block[]
  /** Blocks by name, without endpoints. If several blocks have the same name, the first one counts. */
  readonly blocksByName: ReadonlyMap<string, Block>
}

const indexes = new WeakMap<Definition, DefinitionIndex>()

/** The index of a definition, which is computed once. */
export function definitionIndex(definition: Definition): DefinitionIndex {
  let index = indexes.get(definition)
  if (index === undefined) indexes.set(definition, (index = createIndex(definition)))
  return index
}

function createIndex(definition: Definition): DefinitionIndex {
  const blocks: Block[] = []
  const projects: Project[] = []
  const services: Service[] = []
  const auths: Setting[] = []
  const roles: string[] = []
  const blocksByName = new Map<string, Block>()
  for (const member of definition.members) {
    if (!isBlock(member)) continue
    const contents = contentsOf(member)
    projects.push(...contents.projects)
    services.push(...contents.services)
    auths.push(...contents.auths)
    roles.push(...contents.roles)
    for (const block of contents.blocks) {
      blocks.push(block)
      if (block.name !== '' && !isNamedInService(block) && !blocksByName.has(block.name))
        blocksByName.set(block.name, block)
    }
  }
  return {
    project: projects[0],
    authMethod: projects.flatMap((project) => settingOf(project, 'authMethod') ?? [])[0],
    roles: new Set(roles),
    auths,
    services,
    blocks,
    blocksByName,
  }
}

function roleNames(block: Block): string[] {
  const roles = metadataOf(block, 'roles')
  return roles === undefined ? [] : metadataWords(roles).map(wordText)
}

interface BlockContents {
  readonly blocks: readonly Block[]
  readonly projects: readonly Project[]
  readonly services: readonly Service[]
  readonly auths: readonly Setting[]
  readonly roles: readonly string[]
}

const contentsByBlock = new WeakMap<Block, BlockContents>()

/** A top-level block and its nested blocks, in the order of the text. Cached, because most blocks do not change with an edit. */
function contentsOf(block: Block): BlockContents {
  let contents = contentsByBlock.get(block)
  if (contents === undefined) {
    const blocks = blocksIn(block)
    const services = blocks.filter(isService)
    contents = {
      blocks,
      projects: blocks.filter(isProject),
      services,
      auths: services.flatMap((service) => settingOf(service, 'auth') ?? []),
      roles: blocks.flatMap(roleNames),
    }
    contentsByBlock.set(block, contents)
  }
  return contents
}

function blocksIn(block: Block): readonly Block[] {
  return [block, ...block.members.filter((member) => isBlock(member)).flatMap(blocksIn)]
}

const metadataByBlock = new WeakMap<Block, ReadonlyMap<string, Metadata>>()

/** The first metadata with this name in a block. Cached, because it is used often. */
export function metadataOf(block: Block, name: MetadataName): Metadata | undefined {
  let byName = metadataByBlock.get(block)
  if (byName === undefined) metadataByBlock.set(block, (byName = firstByName(block)))
  return byName.get(name)
}

/** The same for metadata without references. */
function settingOf(block: Block, name: 'auth' | 'authMethod'): Setting | undefined {
  const metadata = metadataOf(block, name)
  return isSetting(metadata) ? metadata : undefined
}

function firstByName(block: Block): ReadonlyMap<string, Metadata> {
  const byName = new Map<string, Metadata>()
  for (const member of block.members) {
    if (isMetadata(member) && !byName.has(member.name)) byName.set(member.name, member)
  }
  return byName
}

/** The one word of a metadata item in its canonical spelling; `undefined` if it is absent or wrong. */
export function wordOf(block: Block | undefined, name: MetadataName): string | undefined {
  const metadata = block === undefined ? undefined : metadataOf(block, name)
  return metadata === undefined ? undefined : canonicalWords(metadata)[0]
}

/** Whether each service has a server for its database, or all share one. */
export function databaseServerOf(project: Block | undefined): DatabaseServerKind {
  const metadata = project === undefined ? undefined : metadataOf(project, 'database')
  const [server] = metadata === undefined ? [] : optionWords(metadata, 'server')
  return (server as DatabaseServerKind | undefined) ?? DEFAULT_DATABASE_SERVER
}

/** The language of the service that a block is or belongs to. */
export function languageOf(
  block: Attribute['$container'],
  { project }: Pick<DefinitionIndex, 'project'>,
): Language {
  const service = isService(block.$container) ? block.$container : block
  const own = isService(service) ? wordOf(service, 'language') : undefined
  return ((own ?? wordOf(project, 'language')) as Language | undefined) ?? DEFAULT_LANGUAGE
}
