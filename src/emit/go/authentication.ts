import type { Authentication, Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { extended } from '../codegen/additions.ts'
import { readTemplate } from '../codegen/templates.ts'
import { authenticationTables } from '../database/authentication-tables.ts'
import { schemaHash } from '../database/hash.ts'
import { authenticationAdditions, commFile } from './authentication-additions.ts'
import { GENERATED, ofModule } from './go-file.ts'
import { constants, quoted } from './layout.ts'
import { exported, uniqueNames } from './names.ts'
import { metricsVariable } from './main.ts'
import { INITIAL_DATASTORE, initialSettings, initialSetup } from './user-files.ts'

const EMITTED = ['env.go', 'main.go', 'passwords.go', 'queries.go', 'roles.go', 'routes.go']
const HASH = /const schemaHash = "[0-9a-f]{64}"/

/** The files of the authentication service, which `#roles`, `#metrics` and `#uses` change. */
export function authenticationFiles(platform: Platform, authentication: Authentication): GeneratedFile[] {
  const { directory, roles, calls, readers } = authentication
  const additions = authenticationAdditions(platform, authentication)
  const module = platform.module
  const file = (name: string, content: string, owner: GeneratedFile['owner']): GeneratedFile => ({
    path: `${directory}/${name}`,
    content,
    owner,
  })
  const template = (name: string): string => {
    const read = name === 'roles.go' ? rolesFile(roles) : readTemplate(`go/auth/${name}`)
    const text = ofModule(module, extended(read, additions[name] ?? []))
    const marked = `${GENERATED}\n\n${text}`
    if (name !== 'main.go') return marked
    const hash = `const schemaHash = "${schemaHash(authenticationTables(authentication))}"`
    const main = marked.replace(HASH, hash)
    if (platform.metrics === undefined) return main
    return main
      .replace('Config: config.Config}', 'Config: config.Config, Metrics: metrics}')
      .replace('func main()', `${metricsVariable(authentication)}\n\nfunc main()`)
  }
  return [
    ...EMITTED.map((name) => file(name, template(name), 'generated')),
    ...(readers.length === 0 ? [] : [file('accounts.go', template('accounts.go'), 'generated')]),
    ...(calls.length === 0 ? [] : [file('comm.go', commFile(platform, authentication), 'generated')]),
    file('setup.go', initialSetup(module, 'env.Hooks.BeforeRegister.Add(...)', 'auth'), 'user'),
    file('datastore.go', INITIAL_DATASTORE, 'user'),
    file('settings.go', initialSettings(module), 'user'),
    {
      ...file(
        'auth_test.go',
        ofModule(module, extended(readTemplate('go/auth/auth_test.go'), additions['auth_test.go'] ?? [])),
        'user',
      ),
      optional: true,
    },
  ]
}

/** The roles of the template. */
const ROLES = /const \(\n\tRole.*?^var allRoles = [^\n]+/ms

/** `roles.go`. Build constraints tell the templates with and without roles apart. */
function rolesFile(roles: readonly string[]): string {
  const text = readTemplate(`go/auth/${roles.length === 0 ? 'without_roles' : 'roles'}.go`)
  const unique = uniqueNames([], 'Value')
  const names = roles.map((role) => unique(`Role${exported(role)}`))
  const list = constants(names.map((name, index) => [name, 'string', quoted(roles[index] ?? '')]))
  return text
    .replace(/^\/\/go:build .*\n\n/, '')
    .replace(ROLES, () => `${list}\n\nvar allRoles = []string{${names.join(', ')}}`)
}
