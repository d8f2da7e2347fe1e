import { canonicalWords, metadataWords, optionWords, wordText } from '../language/argument-binding.ts'
import { documentationOf } from '../language/documentation.ts'
import { formerNameOf } from '../language/former-name.ts'
import {
  type Attribute as AttributeNode,
  type Block,
  type Callee,
  type Definition,
  type Entity as EntityNode,
  isAttribute,
  isEndpoint,
  isJob,
  isMetadata,
  isProject,
  isService,
  isStruct,
  type Service as ServiceNode,
  type Struct as StructNode,
} from '../language/generated/ast.ts'
import { DEFAULT_LANGUAGE, type MetadataName, PARENT } from '../language/builtins.ts'
import { effectiveAccess } from '../language/validation/access-rules.ts'
import {
  databaseServerOf,
  type DefinitionIndex,
  definitionIndex,
  metadataOf,
  wordOf,
} from '../language/validation/definition-index.ts'
import { resolveCustomEndpoint } from './custom-endpoints.ts'
import { resolveJob } from './jobs.ts'
import { entityEndpoints, structEndpoints } from './endpoints.ts'
import { AUTHENTICATION_BODY_BYTES, maxBodyBytes } from '../limits.ts'
import {
  AUTHENTICATION,
  databaseDirectoryOf,
  databaseName,
  kebabCase,
  namesOf,
  tableName,
} from '../naming.ts'
import { connectionCapacity } from './capacity.ts'
import { rowBytes } from './row-size.ts'
import type {
  Attribute,
  Authentication,
  Combination,
  Criteria,
  Entity,
  Language,
  Names,
  Operation,
  Platform,
  Provider,
  Service,
  ServiceBase,
  Struct,
} from './platform.ts'
import { resolveAttribute, type ServiceTargets, TIMESTAMP_ATTRIBUTES } from './resolve-attribute.ts'
import { entitiesOf } from './entities.ts'
import { calledServices, callsOf, INTERNAL_PORT, serviceTarget, targetOf, usedServices } from './calls.ts'

/** Values of the command line that override the definition. */
export interface Overrides {
  /** Overrides `#language` of the project and of every service. */
  readonly language?: Language
  /** Overrides `#provider` of the project. */
  readonly provider?: Provider
  /** The path of the project as a Go module. Default: `example.com/` and its name. */
  readonly module?: string
}

/** Returns the path of the Go module of a project, by its name in kebab-case, if the user chooses none. */
export function defaultModule(project: string): string {
  return `example.com/${project}`
}

/** Ports inside a container, the same in each. */
const PORT = 8080
const METRICS_PORT = 8082
/** The size in bytes of the largest row of the authentication service. */
const ACCOUNT_BYTES = 1024

/**
 * Resolves a definition to its platform.
 *
 * @param definition a checked syntax tree without errors
 */
export function resolvePlatform(definition: Definition, overrides: Overrides = {}): Platform {
  const project = definition.members.find(isProject)
  if (project === undefined) throw new Error('A definition without a project block has not been checked.')
  const defaults = projectDefaults(project, definitionIndex(definition), overrides)
  const nodes = definition.members.filter(isService)
  const targets = new Map(nodes.map((node) => [node, serviceTarget(node.name)]))
  const called = new Set([...nodes.flatMap(calledServices), ...usedServices(project)])
  return {
    names: namesOf(project.name),
    documentation: documentationOf(project),
    provider: overrides.provider ?? (wordOf(project, 'provider') as Provider | undefined) ?? 'dockerCompose',
    authentication:
      defaults.index.authMethod === undefined ? undefined : authentication(project, defaults, nodes, targets),
    metrics: wordOf(project, 'metrics') as 'prometheus' | undefined,
    databaseServer: databaseServerOf(project),
    module: overrides.module ?? defaultModule(namesOf(project.name).kebab),
    services: nodes.map((node) => resolveService(node, defaults, targets, called)),
  }
}

interface ProjectDefaults {
  readonly index: DefinitionIndex
  readonly language: Language
  /** The language of the command line, which overrides that of every service. */
  readonly languageOverride: Language | undefined
}

function projectDefaults(project: Block, index: DefinitionIndex, overrides: Overrides): ProjectDefaults {
  return {
    index,
    language: overrides.language ?? (wordOf(project, 'language') as Language | undefined) ?? DEFAULT_LANGUAGE,
    languageOverride: overrides.language,
  }
}

function authentication(
  project: Block,
  { language, index }: ProjectDefaults,
  services: readonly ServiceNode[],
  targets: ServiceTargets,
): Authentication {
  const names = namesOf(AUTHENTICATION)
  return {
    ...serviceBase(names, language, AUTHENTICATION_BODY_BYTES, ACCOUNT_BYTES),
    calls: callsOf(usedServices(project), targets),
    readers: services
      .filter((service) => usedServices(service).some(({ $type }) => $type === 'Setting'))
      .map(({ name }) => kebabCase(name)),
    method: 'email',
    roles: [...index.roles],
    table: names.snake,
  }
}

/** `stored`: the names that its database was created with. */
function serviceBase(
  names: Names,
  language: Language,
  bodyBytes: number,
  rowSize: number,
  hasJobs = false,
  stored = names,
): Omit<ServiceBase, 'calls'> {
  return {
    names,
    language,
    directory: names.kebab,
    databaseDirectory: databaseDirectoryOf(stored.kebab),
    database: databaseName(stored.declared),
    variablePrefix: stored.snake.toUpperCase(),
    secretsDirectory: stored.kebab,
    port: PORT,
    internalPort: INTERNAL_PORT,
    metricsPort: METRICS_PORT,
    path: `/api/${names.kebab}`,
    maxBodyBytes: bodyBytes,
    ...connectionCapacity(rowSize, hasJobs),
  }
}

function resolveService(
  node: ServiceNode,
  defaults: ProjectDefaults,
  targets: ServiceTargets,
  called: ReadonlySet<Callee>,
): Service {
  const names = namesOf(node.name)
  const path = `/api/${names.kebab}`
  const storesUsers = metadataOf(node, 'auth') !== undefined
  const structNodes = structsOf(node)
  const was = formerNamesOf(node)
  const attributes = resolveAttributes(node, node, targets)
  const operations = operationsOf(node)
  const access = effectiveAccess(node, defaults)
  const entity: Entity = {
    names,
    was,
    documentation: documentationOf(node),
    table: tableName(node.name),
    attributes,
    combinations: combinationsOf(node, attributes),
    version: versionOf(node),
    endpoints: entityEndpoints(path, operations),
    listKey: `${node.name}List`,
    criteria: resolveCriteria(node, attributes),
    hasOwner: defaults.index.authMethod !== undefined && !storesUsers,
    listedByOwner: access.readable !== 'all' && access.readable.creator && operations.has('list'),
  }
  const structs = structNodes.map((struct) => resolveStruct(struct, node, path, targets))
  const all = entitiesOf({ entity, structs })
  const customEndpoints = node.members.filter(isEndpoint).map((endpoint) =>
    resolveCustomEndpoint(endpoint, {
      node,
      path,
      entities: all,
      targets,
      authenticated: defaults.index.authMethod !== undefined,
    }),
  )
  const jobs = node.members.filter(isJob).map((job) => resolveJob(job, node, targets))
  const bodyBytes = [
    ...all.map((each) => each.attributes.filter(isRequested)),
    ...customEndpoints.map(({ requestAttributes }) => requestAttributes),
  ].map((sent) => maxBodyBytes(sent.map(sizeOf)))
  return {
    ...serviceBase(
      names,
      defaults.languageOverride ?? (wordOf(node, 'language') as Language | undefined) ?? defaults.language,
      Math.max(...bodyBytes),
      Math.max(...[...all, ...jobs].map(rowBytes)),
      jobs.length > 0,
      was,
    ),
    was,
    storesUsers,
    ...access,
    // Without authentication, no path needs a token.
    publicPaths:
      defaults.index.authMethod === undefined
        ? []
        : wordsOf(node, 'public').map((segment) => `${path}/${segment}`),
    idempotent: metadataOf(node, 'idempotent') !== undefined,
    entity,
    structs,
    customEndpoints,
    jobs,
    calls: callsOf(calledServices(node), targets),
    referenced: called.has(node),
  }
}

function resolveStruct(
  node: StructNode,
  parent: ServiceNode,
  parentPath: string,
  targets: ServiceTargets,
): Struct {
  const names = namesOf(node.name)
  const attributes = resolveAttributes(node, parent, targets)
  return {
    names,
    was: formerNamesOf(node),
    documentation: documentationOf(node),
    table: tableName(node.name),
    attributes,
    combinations: combinationsOf(node, attributes),
    version: versionOf(node),
    endpoints: structEndpoints(`${parentPath}/{parent-id}/${names.kebab}`, operationsOf(node)),
    listKey: `${node.name}List`,
    criteria: resolveCriteria(node, attributes),
    hasOwner: false,
    listedByOwner: false,
    parent: namesOf(parent.name),
    referenced: structsOf(parent).some((sibling) =>
      attributesOf(sibling).some((attribute) => targetOf(attribute) === node),
    ),
  }
}

/** What clients can filter and sort the list of a service or struct by, in the order of the attributes. */
function resolveCriteria(block: EntityNode, attributes: readonly Attribute[]): Criteria | undefined {
  const enumerable = metadataOf(block, 'enumerable')
  const named = (option: 'filter' | 'sort') => {
    const names = new Set(enumerable && optionWords(enumerable, option))
    return attributes.filter(({ names: { declared } }) => names.has(declared))
  }
  const criteria = { filter: named('filter'), sort: named('sort') }
  return criteria.filter.length + criteria.sort.length === 0 ? undefined : criteria
}

/** The operations of a service or struct, without the omitted ones: each is one endpoint. */
export function operationsOf(block: EntityNode): Set<Operation> {
  const operations = new Set<Operation>(['create', 'read', 'update', 'delete'])
  if (metadataOf(block, 'enumerable') !== undefined) operations.add('list')
  if (metadataOf(block, 'auth') !== undefined) operations.add('identify')
  for (const omitted of wordsOf(block, 'omit')) operations.delete(omitted as Operation)
  if (operations.has('update')) operations.add('patch')
  return operations
}

function formerNamesOf(block: EntityNode): Names | undefined {
  const formerName = formerNameOf(block)
  return formerName === undefined ? undefined : namesOf(formerName)
}

function combinationsOf(block: EntityNode, attributes: readonly Attribute[]): Combination[] {
  const byName = new Map(attributes.map((attribute) => [attribute.names.declared, attribute]))
  return block.members
    .filter((member) => isMetadata(member))
    .filter(({ name }) => name === 'unique')
    .map((metadata) => metadataWords(metadata).map((word) => byName.get(wordText(word)) ?? PARENT))
}

function versionOf(block: EntityNode): Entity['version'] {
  if (metadataOf(block, 'versioned') === undefined) return undefined
  return wordOf(block, 'versioned') === 'true' ? 'required' : 'optional'
}

/** `service` is the block itself, or contains it. */
function resolveAttributes(block: EntityNode, service: ServiceNode, targets: ServiceTargets): Attribute[] {
  const declared = attributesOf(block).map((attribute) => resolveAttribute(attribute, service, targets))
  return metadataOf(block, 'timestamps') === undefined ? declared : [...declared, ...TIMESTAMP_ATTRIBUTES]
}

function attributesOf({ members }: Block): AttributeNode[] {
  return members.filter(isAttribute)
}

function structsOf({ members }: ServiceNode): StructNode[] {
  return members.filter(isStruct)
}

function wordsOf(block: Block, name: MetadataName): readonly string[] {
  const metadata = metadataOf(block, name)
  return metadata === undefined ? [] : canonicalWords(metadata)
}

function isRequested(attribute: Attribute): boolean {
  return attribute.inRequest
}

function sizeOf({ names, type }: Attribute): { name: string; kind: string; size: number | undefined } {
  const size = type.kind === 'string' ? type.maxLength : type.kind === 'data' ? type.maxSize : undefined
  return { name: names.declared, kind: type.kind, size }
}
