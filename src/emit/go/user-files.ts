import type { GeneratedFile } from '../contract.ts'
import { hasOperation, requestAttributes, requestReferences } from '../../model/entities.ts'
import { type DeployedService, deployedServicesIn } from '../../model/deployed-services.ts'
import type { Attribute, Entity, Platform } from '../../model/platform.ts'
import { SAMPLE_ID, sampleValues } from '../../model/samples.ts'
import { withArticle } from '../../naming.ts'
import { clientPackages } from './clients.ts'
import { goFile, type GoFile } from './go-file.ts'
import { block, func, quoted } from './layout.ts'
import { exported } from './names.ts'
import { endpointScopesOf, type JobScope, jobScopesOf, mainEntity, type ServiceScope } from './scope.ts'

/** The files of a service that belong to the user once they are written. */
export function userFiles(scope: ServiceScope): GeneratedFile[] {
  const { directory } = scope.service
  const user = (path: string, content: string): GeneratedFile => ({
    path: `${directory}/${path}`,
    content,
    owner: 'user',
  })
  const [first] = scope.service.entity.endpoints
  const kind = first === undefined ? '...' : `.Before${exported(first.operation)}.Add(...)`
  return [
    user(
      'setup.go',
      initialSetup(
        scope.module,
        `env.Hooks${kind}`,
        scope.service.names.kebab,
        endpointScopesOf(scope.service).map(({ names }) => names.field),
        jobScopesOf(scope.service),
      ),
    ),
    user('datastore.go', INITIAL_DATASTORE),
    user('settings.go', initialSettings(scope.module)),
    { ...user(`${mainEntity(scope).names.file}_test.go`, initialTest(scope)), optional: true },
  ]
}

/** `setup.go` without hooks and routes, with handlers for endpoints and jobs that say that they are missing. */
export function initialSetup(
  module: string,
  hook: string,
  path: string,
  endpoints: readonly string[] = [],
  jobs: readonly JobScope[] = [],
): string {
  const file = goFile(module, 'main', [])
  file.use('context')
  file.internal('platform')
  const handlers = [
    ...endpoints.map((field) => `\tenv.Endpoints.${field}.Handle(platform.NotImplemented)\n`),
    ...jobs.map(({ job, names }) => {
      const payload = job.schedule === undefined ? [`_ ${names.payload}`] : []
      const parameters = ['_ context.Context', '_ *Env', ...payload, '_ *platform.RunningJob']
      const failure = `return ${file.use('errors')}.New("not implemented")`
      return `\tenv.Jobs.${names.field}.Run(func(${parameters.join(', ')}) error {\n\t\t${failure}\n\t})\n`
    }),
  ]
  const [env, body] =
    handlers.length === 0 ? ['_', ' return nil '] : ['env', `\n${handlers.join('')}\treturn nil\n`]
  return file.text([
    `// setup registers hooks (\`${hook}\`) and routes (\`router.Handle("GET /${path}/...", ...)\`). It
// runs once, before the service starts to listen. This file is yours: Portico never overwrites it.
func setup(_ context.Context, ${env} *Env, _ *platform.Router) error {${body}}`,
  ])
}

/** \`datastore.go\` without queries. */
export const INITIAL_DATASTORE = `package main

// Queries that env.Datastore has besides the generated ones: add methods to Datastore, which use platform.Rows and
// platform.Row with d.db. This file is yours: Portico never overwrites it.
`

/** \`settings.go\` without settings. */
export function initialSettings(module: string): string {
  return `package main

import "${module}/internal/platform"

// Settings has environment variables of this service, as env.Settings. This file is yours: Portico never overwrites it.
type Settings struct{}

func readSettings(_ *platform.Environment) Settings { return Settings{} }
`
}

const subtest = (title: string, lines: readonly string[]) =>
  `${block(`t.Run(${quoted(title)}, func(t *testing.T)`, lines)})`
const status = (call: string, expected: string) =>
  block(`if w := ${call}; w.Code != http.Status${expected}`, ['t.Error(w.Code, w.Body)'])

const json = (attributes: readonly Attribute[], ...first: readonly string[]) => {
  const members = sampleValues(attributes).map(
    ([{ names }, sample]) => `"${names.declared}": ${JSON.stringify(sample)}`,
  )
  return `{${[...first, ...members].join(', ')}}`
}

/** The statements with which stand-ins replace the services that one calls. */
export function fakes(platform: Platform, service: DeployedService, file: GoFile): string[] {
  const helper = file.internal('platform/platformtest')
  const packages = clientPackages(deployedServicesIn(platform, service.language))
  const entity = ({ names, attributes, endpoints, listKey }: Entity) => {
    const isListed = endpoints.some(({ operation }) => operation === 'list')
    const sample = json(
      attributes.filter(({ inResponse }) => inResponse),
      `"id": "${SAMPLE_ID}"`,
    )
    const fields = [
      `Name: ${quoted(names.kebab)}`,
      ...(isListed ? [`ListKey: ${quoted(listKey)}`] : []),
      `JSON: \`${sample}\``,
    ]
    return `${helper}.Entity{${fields.join(', ')}}`
  }
  return service.calls.flatMap(({ directory, names: { declared }, isAuthentication }) => {
    if (isAuthentication) {
      const account = `{"id": "${SAMPLE_ID}", "email": "ada@example.org", "roles": []}`
      return [`env.Comm.${exported(declared)} = ${helper}.FakeAccounts(t, \`${account}\`)`]
    }
    const target = platform.services.find((other) => other.directory === directory)
    const client = file.internal(packages.get(directory) ?? '')
    if (target === undefined) return []
    const entities = [target.entity, ...target.structs.filter(({ endpoints }) => endpoints.length > 0)]
    return [
      `env.Comm.${exported(declared)} = ${client}.New(${helper}.Fake(t,`,
      ...entities.map((each) => `\t${entity(each)},`),
      '), env.Config.ServiceTimeout)',
    ]
  })
}

/** A test that creates the API and calls it. */
function initialTest(scope: ServiceScope): string {
  const { platform, service, authenticated, module } = scope
  const { entity, databaseDirectory } = service
  const { kebab, declared } = service.names
  const file = goFile(module, 'main', [])
  const platformPackage = () => file.internal('platform')
  const helper = file.internal('platform/platformtest')
  for (const path of ['context', 'net/http', 'testing']) file.use(path)
  const roles = (platform.authentication?.roles ?? []).map(quoted)
  const identify = authenticated ? `, ${helper}.Identify` : ''
  const reads = hasOperation(entity, 'read')
  const calls = service.calls.length > 0
  // Only other services have stand-ins.
  const creates =
    hasOperation(entity, 'create') &&
    requestReferences(entity).every(({ type }) => type.kind === 'reference' && !type.local)
  const path = reads ? `"/${kebab}/"+${platformPackage()}.NewID().String()` : `"/${kebab}/unknown/path"`
  const anyone = () => `${platformPackage()}.Caller{}`
  const user = authenticated ? 'user' : anyone()
  const tests = [
    subtest(`unknown ${reads ? 'entities' : 'paths'} are not found`, [
      status(`request(http.MethodGet, ${path}, ${user}, "")`, 'NotFound'),
    ]),
    ...(authenticated
      ? [
          subtest('requests without a token are rejected', [
            status(`request(http.MethodGet, "/${kebab}", ${anyone()}, "")`, 'Unauthorized'),
          ]),
        ]
      : []),
    ...(creates
      ? [
          subtest(`${withArticle(declared)} is created`, [
            `body := \`${json(requestAttributes(entity))}\``,
            status(`request(http.MethodPost, "/${kebab}", ${user}, body)`, 'Created'),
          ]),
        ]
      : []),
  ]
  return file.text([
    '// This file is yours: Portico never overwrites it.',
    func({ name: 'newTestAPI', parameters: ['t *testing.T'], result: `${helper}.Request` }, [
      't.Helper()',
      `parts, environment := ${helper}.New(t, "${databaseDirectory}/migrations")`,
      'env := newEnv(readConfig(environment), readSettings(environment), parts)',
      ...(calls
        ? [
            '// What the services that this one calls answer. All that is referred to exists.',
            ...fakes(platform, service, file),
          ]
        : []),
      `api, err := newAPI(context.Background(), env${identify})`,
      block('if err != nil', ['t.Fatal(err)']),
      `return ${helper}.Client(api)`,
    ]),
    func({ name: 'TestService', parameters: ['t *testing.T'] }, [
      'request := newTestAPI(t)',
      ...(authenticated
        ? [
            ...(roles.length === 0 ? [] : ['// Has all roles.']),
            `user := ${helper}.NewCaller(${roles.join(', ')})`,
          ]
        : []),
      ...tests,
    ]),
  ])
}
