import { canonicalWords } from '../language/calls.ts'
import { documentationOf } from '../language/documentation.ts'
import type { Attribute as AttributeNode, Block, Definition, Metadata } from '../language/generated/ast.ts'
import type { MetadataName } from '../language/vocabulary.ts'
import { entityEndpoints, structEndpoints } from './endpoints.ts'
import { MIN_BODY_BYTES, maxBodyBytes } from './limits.ts'
import { namesOf } from './names.ts'
import type {
  Access,
  Attribute,
  Authentication,
  Deployment,
  Entity,
  Language,
  Names,
  Operation,
  Platform,
  Provider,
  Service,
  ServiceTarget,
  Struct,
} from './platform.ts'
import { resolveAttribute, type Targets } from './resolve-attribute.ts'

/** What the command line says in place of the definition. */
export interface Overrides {
  /** In place of the project's and every service's `#language`. */
  readonly language?: Language
  /** In place of the project's `#provider`. */
  readonly provider?: Provider
}

/** Ports inside of a container, the same in each. */
const PORT = 8080
const INTERNAL_PORT = 8081

/**
 * The platform that a definition describes.
 *
 * @param definition a checked syntax tree; one with errors gives no promise.
 */
export function resolvePlatform(definition: Definition, overrides: Overrides = {}): Platform {
  const project = definition.blocks.find((block) => block.kind === 'project')
  if (project === undefined) throw new Error('A definition without a project block has not been checked.')
  const defaults = projectDefaults(project, overrides)
  const blocks = definition.blocks.filter((block) => block.kind === 'service')
  const services = new Map(blocks.map((block) => [block.name, serviceTarget(block.name)]))
  const called = new Set(blocks.flatMap((block) => calledNames(block, services)))
  return {
    names: namesOf(project.name),
    documentation: documentationOf(project),
    provider: overrides.provider ?? (wordOf(project, 'provider') as Provider | undefined) ?? 'dockerCompose',
    authentication: defaults.authenticated ? authentication(defaults.language) : undefined,
    metrics: wordOf(project, 'metrics') as 'prometheus' | undefined,
    services: blocks.map((block) => resolveService(block, defaults, services, called)),
  }
}

interface ProjectDefaults {
  readonly authenticated: boolean
  readonly language: Language
  /** The command line's word, which no service's own overrules. */
  readonly languageOverride: Language | undefined
  readonly readable: Access
  readonly writable: Access
}

function projectDefaults(project: Block, overrides: Overrides): ProjectDefaults {
  const authenticated = metadataOf(project, 'authMethod') !== undefined
  const access: Access = authenticated ? 'this' : 'all'
  return {
    authenticated,
    language: overrides.language ?? (wordOf(project, 'language') as Language | undefined) ?? 'typescript',
    languageOverride: overrides.language,
    readable: (wordOf(project, 'readable') as Access | undefined) ?? access,
    writable: (wordOf(project, 'writable') as Access | undefined) ?? access,
  }
}

function authentication(language: Language): Authentication {
  const names = namesOf('Auth')
  return {
    ...deployment(names),
    method: 'email',
    names,
    language,
    table: names.snake,
    path: `/api/${names.kebab}`,
    maxBodyBytes: MIN_BODY_BYTES,
  }
}

function deployment(names: Names): Deployment {
  return {
    directory: names.kebab,
    databaseDirectory: `${names.kebab}-db`,
    database: names.snake,
    port: PORT,
    internalPort: INTERNAL_PORT,
  }
}

function serviceTarget(declared: string): ServiceTarget {
  const names = namesOf(declared)
  return { names, directory: names.kebab, internalPort: INTERNAL_PORT }
}

function resolveService(
  block: Block,
  defaults: ProjectDefaults,
  services: Targets,
  called: ReadonlySet<string>,
): Service {
  const names = namesOf(block.name)
  const path = `/api/${names.kebab}`
  const identity = metadataOf(block, 'auth') !== undefined
  const structBlocks = structsOf(block)
  const entity: Entity = {
    names,
    documentation: documentationOf(block),
    table: names.snake,
    attributes: attributesOf(block).map((node) => resolveAttribute(node, block, services)),
    endpoints: entityEndpoints(path, operationsOf(block)),
    listKey: `${block.name}List`,
  }
  const structs = structBlocks.map((struct) => resolveStruct(struct, block, path, services))
  return {
    ...deployment(names),
    names,
    language:
      defaults.languageOverride ?? (wordOf(block, 'language') as Language | undefined) ?? defaults.language,
    path,
    identity,
    // A project's default does not widen a store of user metadata: that takes its own word.
    readable: (wordOf(block, 'readable') as Access | undefined) ?? (identity ? 'this' : defaults.readable),
    writable: (wordOf(block, 'writable') as Access | undefined) ?? (identity ? 'this' : defaults.writable),
    entity,
    structs,
    calls: calledNames(block, services).flatMap((name) => services.get(name) ?? []),
    referenced: called.has(block.name),
    maxBodyBytes: Math.max(
      ...[entity, ...structs].map((each) => maxBodyBytes(each.attributes.filter(isRequested).map(sizeOf))),
    ),
  }
}

function resolveStruct(block: Block, parent: Block, parentPath: string, services: Targets): Struct {
  const names = namesOf(block.name)
  const siblings = structsOf(parent)
  return {
    names,
    documentation: documentationOf(block),
    table: names.snake,
    attributes: attributesOf(block).map((node) => resolveAttribute(node, parent, services)),
    endpoints: structEndpoints(`${parentPath}/{parent-id}/${names.kebab}`, operationsOf(block)),
    listKey: `${block.name}List`,
    parent: namesOf(parent.name),
    referenced: siblings.some((sibling) =>
      attributesOf(sibling).some((node) => node.type.target.$refText === block.name),
    ),
  }
}

/** The operations of a service or struct, without the omitted ones: each is one endpoint. */
export function operationsOf(block: Block): Set<Operation> {
  const operations = new Set<Operation>(['create', 'read', 'update', 'delete'])
  if (metadataOf(block, 'enumerable') !== undefined) operations.add('list')
  if (metadataOf(block, 'auth') !== undefined) operations.add('identify')
  for (const omitted of wordsOf(block, 'omit')) operations.delete(omitted as Operation)
  return operations
}

/** Other services that this one calls: those that it references in the order of the text, then those in `#uses`. */
function calledNames(block: Block, services: Targets): string[] {
  const referenced = attributesWithin(block).map((node) => node.type.target.$refText)
  const names = [...referenced, ...wordsOf(block, 'uses')].filter(
    (name) => services.has(name) && name !== block.name,
  )
  return [...new Set(names)]
}

function attributesOf(block: Block): AttributeNode[] {
  return block.members.filter((member) => member.$type === 'Attribute')
}

/** A service's attributes and those of its structs, in the order of the text. */
function attributesWithin(block: Block): AttributeNode[] {
  return block.members.flatMap((member) =>
    member.$type === 'Attribute' ? [member] : member.$type === 'Block' ? attributesOf(member) : [],
  )
}

function structsOf(block: Block): Block[] {
  return block.members.filter((member) => member.$type === 'Block')
}

function metadataOf(block: Block, name: MetadataName): Metadata | undefined {
  return block.members.find(
    (member): member is Metadata => member.$type === 'Metadata' && member.name === name,
  )
}

function wordsOf(block: Block, name: MetadataName): readonly string[] {
  const metadata = metadataOf(block, name)
  return metadata === undefined ? [] : canonicalWords(metadata)
}

function wordOf(block: Block, name: MetadataName): string | undefined {
  return wordsOf(block, name)[0]
}

function isRequested(attribute: Attribute): boolean {
  return attribute.requested
}

function sizeOf({ names, type }: Attribute): { name: string; kind: string; size: number | undefined } {
  const size = type.kind === 'string' ? type.maxLength : type.kind === 'data' ? type.maxSize : undefined
  return { name: names.declared, kind: type.kind, size }
}
