import { type HookOperation, hookOperations, servesReadMany, storedAttributes } from '../../model/entities.ts'
import { DEFAULT_JOBS } from '../../model/capacity.ts'
import { duplicateText } from '../../model/error-texts.ts'
import { constraintName } from '../database/identifiers.ts'
import { hasQueue } from '../database/jobs.ts'
import { columnsOf } from '../database/service-tables.ts'
import { grouped } from './attributes.ts'
import { callSettings, commClients, commType, commValue } from './comm.ts'
import { goFile, type GoFile } from './go-file.ts'
import { block, func, literal, quoted, struct, type Field } from './layout.ts'
import { exported } from './names.ts'
import { listType } from './query-lists.ts'
import { datastoreFor, mainEntity, ownerOf, type EntityScope, type ServiceScope } from './scope.ts'

/** `env.go`: the configuration, what hooks and routes work with, and the assembly of the API. */
export function envFile(scope: ServiceScope): string {
  const { service, entities, module } = scope
  const file = goFile(module, 'main')
  file.use('context')
  const calls = service.calls.length > 0
  const hasEndpoints = service.customEndpoints.length > 0
  const hasJobs = hasQueue(service)
  const structs = entities.filter(
    ({ struct: isStruct, entity }) => isStruct !== undefined && entity.endpoints.length > 0,
  )
  return file.text([
    ...config(scope, file),
    `// Env is what hooks and routes work with.\n${struct('Env', [
      { type: `${file.internal('platform')}.Parts` },
      { name: 'Config', type: 'Config' },
      { name: 'Settings', type: 'Settings' },
      ...(calls ? [{ name: 'Comm', type: 'Comm' }] : []),
      { name: 'Hooks', type: '*Hooks' },
      ...(hasEndpoints ? [{ name: 'Endpoints', type: '*Endpoints' }] : []),
      ...(hasJobs ? [{ name: 'Jobs', type: '*Jobs' }] : []),
      {
        name: 'Conflicts',
        type: 'map[string]string',
        documentation:
          'The message for each constraint of the database that a request can violate. Those of your own can be added.',
      },
      { name: 'Datastore', type: 'Datastore' },
      ...(hasJobs ? [{ name: 'queue', type: `*${file.internal('platform')}.Queue` }] : []),
    ])}`,
    ...(calls ? [commType(commClients(scope.platform, service, file))] : []),
    `// Hooks has the kinds of hooks, which setup.go registers.\n${struct('Hooks', [
      ...hookFields(mainEntity(scope), file),
      ...structs.map(({ names }) => ({ name: names.hooksField, type: names.hooks })),
    ])}`,
    ...structs.map(
      (own) =>
        `// ${own.names.hooks} has the kinds of hooks of ${own.entity.names.declared}.\n${struct(own.names.hooks, hookFields(own, file))}`,
    ),
    datastore(scope, file),
    newEnv(scope, file),
    assembly(scope, file),
  ])
}

/** How many jobs may run at a time in a replica. */
const MAX_JOBS = 100

function config({ service }: ServiceScope, file: GoFile): string[] {
  const { database, databaseDirectory, maxBodyBytes } = service
  const platform = file.internal('platform')
  const settings = callSettings(service)
  const base = `${platform}.ReadConfig(environment, "postgres://${database}@${databaseDirectory}:5432/${database}", ${grouped(maxBodyBytes)})`
  return [
    `// Config has the environment variables of the service.\n${struct('Config', [
      { type: `${platform}.Config` },
      ...settings.map(([name]) => ({ name, type: 'string' })),
      ...(hasQueue(service)
        ? [{ name: 'Jobs', type: 'int', documentation: 'How many jobs run at a time; 0 for none.' }]
        : []),
    ])}`,
    func({ name: 'readConfig', parameters: [`environment *${platform}.Environment`], result: 'Config' }, [
      `return ${literal('Config', [
        ['Config', base],
        ...settings,
        ...(hasQueue(service)
          ? [['Jobs', `environment.Int("JOBS", ${DEFAULT_JOBS}, 0, ${MAX_JOBS})`] as const]
          : []),
      ])}`,
    ]),
  ]
}

function hookFields(own: EntityScope, file: GoFile): Field[] {
  const platform = file.internal('platform')
  return hookOperations(own.entity).flatMap((operation) => {
    const kind = exported(operation)
    const before =
      operation === 'create'
        ? `${platform}.BeforeWrite[*Env, ${own.names.request}, ${own.names.type}]`
        : operation === 'update'
          ? `${platform}.BeforeWrite[*Env, ${own.names.updateRequest}, ${own.names.update}]`
          : `${platform}.Hook[*Env, *${operation === 'list' ? listType(file, own) : own.names.id}]`
    return [
      { name: `Before${kind}`, type: before },
      { name: `After${kind}`, type: `${platform}.Hook[*Env, ${afterType(own, operation)}]` },
    ]
  })
}

function afterType({ names }: EntityScope, operation: HookOperation): string {
  if (operation === 'delete') return names.id
  return operation === 'list' ? `*[]${names.type}` : `*${names.type}`
}

function datastore({ isLimited, service: { readable, writable } }: ServiceScope, file: GoFile): string {
  const platform = file.internal('platform')
  const db = { name: 'db', type: `*${platform}.DB` }
  if (!isLimited) return `// Datastore has the queries. They check no access.\n${struct('Datastore', [db])}`
  const owner = (name: string) => ({ name, type: `*${file.use('github.com/google/uuid')}.UUID` })
  const creates = writable !== 'all' && !writable.creator
  const limits = [
    ...(readable === 'all' ? [] : [['reader', ownerOf(readable)] as const]),
    ...(writable === 'all' ? [] : [['writer', ownerOf(writable)] as const]),
    ['creator', creates ? 'creator' : '&caller.ID'] as const,
  ]
  return [
    `// Datastore has the queries. They check access only on behalf of a caller: see As.\n${struct(
      'Datastore',
      [
        db,
        ...limits.map(([name], index) => ({
          ...owner(name),
          ...(index === 0
            ? { documentation: 'To whose entities the queries are limited; nil for those of all.' }
            : {}),
        })),
      ],
    )}`,
    `// As returns the queries on behalf of a caller, who sees and changes what the access rules allow. Without a caller, they see nothing.\n${func(
      { receiver: 'd Datastore', name: 'As', parameters: [`caller ${platform}.Caller`], result: 'Datastore' },
      [
        block('if caller.IsNobody()', ['return Datastore{creator: &uuid.Max}']),
        ...(creates
          ? [
              'creator := &caller.ID',
              block(`if !caller.HasRole(${writable.roles.map(quoted).join(', ')})`, ['creator = &uuid.Max']),
            ]
          : []),
        `return Datastore{${['d.db', ...limits.map(([, value]) => value)].join(', ')}}`,
      ],
    )}`,
  ].join('\n\n')
}

function newEnv(scope: ServiceScope, file: GoFile): string {
  const clients = commClients(scope.platform, scope.service, file)
  const parameters = ['config Config', 'settings Settings', `parts ${file.internal('platform')}.Parts`]
  const hasJobs = hasQueue(scope.service)
  return func({ name: 'newEnv', parameters, result: '*Env' }, [
    `${hasJobs ? 'env :=' : 'return'} ${literal('&Env', [
      ['Parts', 'parts'],
      ['Config', 'config'],
      ['Settings', 'settings'],
      ...(clients.length === 0 ? [] : [['Comm', commValue(clients)] as const]),
      ['Hooks', '&Hooks{}'],
      ...(scope.service.customEndpoints.length === 0 ? [] : [['Endpoints', '&Endpoints{}'] as const]),
      [
        'Conflicts',
        literal(
          'map[string]string',
          scope.entities.flatMap((own) => conflictsOf(scope, own)),
        ),
      ],
      ['Datastore', 'Datastore{db: parts.DB}'],
      ...(hasJobs
        ? [['queue', `${file.internal('platform')}.NewQueue(parts, config.Config, config.Jobs)`] as const]
        : []),
    ])}`,
    ...(hasJobs ? ['env.Jobs = newJobs(env)', 'return env'] : []),
  ])
}

function assembly(scope: ServiceScope, file: GoFile): string {
  const { service, entities, authenticated } = scope
  const platform = file.internal('platform')
  const declared = quoted(service.names.declared)
  const publicPaths = service.publicPaths.map((path) => quoted(path.slice('/api'.length)))
  const api = literal(`&${platform}.API`, [
    ['Service', declared],
    ['Conflicts', 'env.Conflicts'],
    ['Log', 'env.Log'],
    ['Limits', `${platform}.NewBodyLimits(env.Config.Config)`],
    ...(authenticated ? [['Identify', 'identify'] as const] : []),
    ...(publicPaths.length === 0 ? [] : [['PublicPaths', `[]string{${publicPaths.join(', ')}}`] as const]),
  ])
  const identify = authenticated ? [`identify ${platform}.Identify`] : []
  return `// newAPI creates the API. Runs setup.go, whose routes come before the generated ones.\n${func(
    {
      name: 'newAPI',
      parameters: ['ctx context.Context', 'env *Env', ...identify],
      result: `(*${platform}.API, error)`,
    },
    [
      `api := ${api}`,
      `if err := setup(ctx, env, &api.Own); err != nil {\n\treturn nil, err\n}`,
      ...(service.customEndpoints.length === 0
        ? []
        : ['if err := env.addEndpoints(api); err != nil {\n\treturn nil, err\n}']),
      ...(hasQueue(service)
        ? ['if err := env.queue.RequireHandlers(); err != nil {\n\treturn nil, err\n}']
        : []),
      ...entities
        .filter(({ entity }) => entity.endpoints.length > 0)
        .map(({ names: { type } }) => `env.add${type}Routes(&api.Generated)`),
      ...(service.referenced ? ['api.ServeReferences(env.Datastore.findReadable)'] : []),
      ...(servesReadMany(service) ? [serveMany(scope, file)] : []),
      'return api, nil',
    ],
  )}`
}

/** The endpoint with which other services read several entities. */
function serveMany(scope: ServiceScope, file: GoFile): string {
  const { service } = scope
  const { entity, names } = mainEntity(scope)
  const platform = file.internal('platform')
  const query =
    entity.criteria === undefined
      ? `${platform}.WithIDs(ids)`
      : `${names.query}{ListQuery: ${platform}.ListQuery{IDIn: ids}}`
  const caller = service.readable === 'all' ? '_' : 'caller'
  const head = `func(ctx context.Context, ids []${file.use('github.com/google/uuid')}.UUID, ${caller} ${platform}.Caller) (*${platform}.List[${names.type}], error)`
  const many = literal(`${platform}.Many[*Env, ${names.id}, ${names.type}]`, [
    ['Env', 'env'],
    ['Before', '&env.Hooks.BeforeRead'],
    ['After', '&env.Hooks.AfterRead'],
    ['Readable', 'env.Datastore.findReadable'],
    ['Read', block(head, [`return ${datastoreFor(service.readable)}.read${names.type}List(ctx, ${query})`])],
  ])
  return `api.Internal.Generated.Handle("POST /read-many", ${many}.Handle)`
}

/** The message for each constraint that a request can violate. */
function conflictsOf(
  { service }: ServiceScope,
  { entity, struct: isStruct }: EntityScope,
): (readonly [string, string])[] {
  const message = quoted(duplicateText(entity.names.declared))
  const keys = [
    ...(service.storesUsers && isStruct === undefined ? [constraintName(entity.table, [], 'pkey')] : []),
    ...storedAttributes(entity)
      .filter(({ unique }) => unique)
      .map(({ names }) => constraintName(entity.table, [names.snake], 'key')),
    ...entity.combinations.map((combination) => constraintName(entity.table, columnsOf(combination), 'key')),
  ]
  return keys.map((key) => [quoted(key), message] as const)
}
