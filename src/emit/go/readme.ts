import { hasOperation } from '../../model/entities.ts'
import type { Attribute, Platform, Service } from '../../model/platform.ts'
import { serviceKeyFiles } from '../../model/deployed-services.ts'
import { codeBlock } from '../docs/markdown.ts'
import type { ReadmeTexts } from '../target.ts'
import { block, quoted } from './layout.ts'
import { exported } from './names.ts'
import { scopesOf } from './scope.ts'

/** What the README of a project says about services in Go. */
export const README: ReadmeTexts = {
  language: 'Go',
  compiler: '[Go](https://go.dev/dl) 1.26 or later',
  standalone: ({ platform: { services, authentication } }) => {
    const [service] = services
    if (service === undefined) return []
    const { directory, databaseDirectory } = service
    const isAuthenticated = authentication !== undefined
    const keys =
      serviceKeyFiles(service).length === 0 ? '' : 'SERVICE_KEYS_DIRECTORY=.portico/dev/service-keys '
    const credentials = isAuthenticated
      ? `GATEWAY_CREDENTIALS_FILE=.portico/dev/gateway-credentials.json ${keys}`
      : ''
    return [
      `To run one service by itself, you need Go 1.26 or later${isAuthenticated ? ', an empty Postgres database, and the credentials that verify tokens, which `portico dev` writes' : ' and an empty Postgres database'}:`,
      codeBlock('sh', [
        'export DATABASE_URL=postgres://<role>:<password>@localhost:5432/<database>',
        `go run ./${directory} migrate ${directory} ${databaseDirectory}`,
        `${credentials}go run ./${directory}`,
      ]),
    ]
  },
  testing: [
    'Check the code, and run the tests of all services. They start a Postgres of their own, which the first run downloads; `TEST_DATABASE_URL` names another server, with a role that may create databases:',
    codeBlock('sh', ['go vet ./...', 'go test ./...']),
  ],
  customFiles:
    'These files in each service are yours: `setup.go` registers hooks and custom routes, `datastore.go` adds queries, `settings.go` declares environment variables, and the file that ends in `_test.go` has the tests, which `go test ./...` runs. Portico creates them once and never overwrites them. `env.go` declares all hooks of the service and their parameters.',
  example: ({ platform }) => {
    const example = hookExample(platform)
    if (example === undefined) return []
    return [`For example, in \`${example.service.directory}/setup.go\`:`, codeBlock('go', example.lines)]
  },
  accessChecks:
    '`env.Datastore` does not check access and runs no hooks. Where not every user may do everything, `env.Datastore.As(caller)` sees and changes only what the caller may. Routes can also check access with `env.RequireReadable(ctx, id, caller)` and `env.RequireWritable(ctx, id, caller)`, where `caller` is `platform.CallerOf(ctx)`.',
  rules: [
    'A hook or a route rejects a request by returning `platform.HookError(status, message)`. The message of any other error does not reach the client, who gets 500.',
    'Pass the context on: statements with the context of a hook belong to the transaction of the request. Mail, payments and other effects belong in `env.AfterCommit(ctx, func(ctx context.Context) error { ... })`, because a transaction can be rolled back, or run again.',
    'The update methods of `env.Datastore` write all attributes that clients send. To change one, add a query to `datastore.go`.',
    'A service reaches only its own database. It calls the others with `env.Comm`, which has those that its attributes refer to and those in `#uses[...]` of the definition.',
    'Log with `env.Log`, and never what users send, tokens or passwords.',
  ],
  shared: (module) => ({
    language: 'go',
    code: `import "${module}/shared/prices"`,
    tests: '`go vet ./...` checks its packages, and `go test ./...` runs their tests.',
  }),
  libraries: 'You can add modules with `go get`.',
  merged: 'your modules in `go.mod`',
  configurationFile: 'env.go',
  metricsFile: 'main.go',
  roles: (directory) =>
    `in \`${directory}/setup.go\` (\`input.Roles\` in \`BeforeRegister\`, \`env.Datastore.UpdateRoles(ctx, id, roles...)\`)`,
  authenticationVariables: [
    '`PASSWORD_THREADS`: passwords that are hashed at a time (default 0: one less than the number of processors, at most 4)',
    '`PASSWORD_QUEUE`: passwords that may wait to be hashed (default 256)',
  ],
}

/** A service and an example of its `setup.go`, which compiles: a hook, if it has an operation, and a route. */
interface HookExample {
  readonly service: Service
  readonly lines: readonly string[]
}

/** An example for the first service with a create operation, or else for the first service. */
function hookExample(platform: Platform): HookExample | undefined {
  const { services } = platform
  const service = services.find((candidate) => hasOperation(candidate.entity, 'create')) ?? services[0]
  const [own] = service === undefined ? [] : scopesOf(service)
  if (service === undefined || own === undefined) return undefined
  const { type, id, request } = own.names
  const isAuthenticated = platform.authentication !== undefined
  const checks = service.entity.attributes.filter(({ inRequest }) => inRequest).map(checkOf)
  const check = checks.find((line) => line !== undefined)
  const creates = hasOperation(service.entity, 'create') && check !== undefined
  const hook = [
    `env.Hooks.BeforeCreate.Add(func(_ context.Context, _ *Env, request ${request}, _ *${type}, _ platform.Caller) error {`,
    ...(check ?? []).map((line) => `\t${line}`),
    '\treturn nil',
    '})',
  ]
  const { kebab } = service.names
  const route = [
    `// Clients call it as /api/${kebab}/{id}/exists`,
    block(`router.Handle("GET /${kebab}/{id}/exists", func(w http.ResponseWriter, r *http.Request) error`, [
      'id, err := platform.PathID(r, "id")',
      block('if err != nil', ['return err']),
      ...(isAuthenticated
        ? [
            block(
              'if err := env.RequireReadable(r.Context(), id, platform.CallerOf(r.Context())); err != nil',
              ['return err'],
            ),
          ]
        : []),
      `found, err := env.Datastore.Read${type}(r.Context(), ${id}{ID: id})`,
      block('if err != nil', [`return platform.OrNotFound(err, ${quoted(service.names.declared)}, id)`]),
      'return platform.JSON(w, http.StatusOK, map[string]any{"id": found.ID})',
    ]) + ')',
  ]
  const lines = [
    'package main',
    '',
    'import (',
    '\t"context"',
    '\t"net/http"',
    ...(creates && check.some((line) => line.includes('strings.')) ? ['\t"strings"'] : []),
    '',
    `\t"${platform.module}/internal/platform"`,
    ')',
    '',
    block('func setup(_ context.Context, env *Env, router *platform.Router) error', [
      ...(creates ? hook : []),
      ...route,
      'return nil',
    ]),
  ]
  return { service, lines: lines.flatMap((text) => text.split('\n')) }
}

/** Statements that reject a value of an attribute. */
function checkOf({ names: { declared }, type, optional }: Attribute): string[] | undefined {
  if (optional) return undefined
  const value = `request.${exported(declared)}`
  const reject = (condition: string, what: string): string[] =>
    block(`if ${condition}`, [
      `return platform.HookError(http.StatusBadRequest, "${declared} ${what}")`,
    ]).split('\n')
  if (type.kind === 'string') return reject(`strings.TrimSpace(${value}) == ""`, 'must not be blank')
  return type.kind === 'int' || type.kind === 'float' ? reject(`${value} == 13`, 'must not be 13') : undefined
}
