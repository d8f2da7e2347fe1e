import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../kit/templates.ts'
import { packageFiles } from './package-files.ts'
import { copies, shellFiles } from './shell.ts'

/** What it shares with services that store entities. */
const SHARED = [
  'answers.ts',
  'api.ts',
  'body.ts',
  'errors.ts',
  'hook-lists.ts',
  'ids.ts',
  'json.ts',
  'methods.ts',
  'values/string.ts',
]
const OWN = [
  'app.ts',
  'config.ts',
  'credentials-request.ts',
  'data-access.ts',
  'hooks.ts',
  'login.ts',
  'password-worker.ts',
  'passwords.ts',
  'register.ts',
  'schema.ts',
  'service.ts',
  'tokens.ts',
]
const USERS = ['datastore.ts', 'setup.ts']

/** The authentication service; no definition changes it. Nothing without authentication. */
export function authenticationFiles({ authentication }: Platform): GeneratedFile[] {
  if (authentication === undefined || authentication.language !== 'typescript') return []
  const { directory } = authentication
  const own = (owner: GeneratedFile['owner']) => (name: string) => ({
    path: `${directory}/src/${name}`,
    content: readTemplate(`typescript/auth/src/${name}`),
    owner,
  })
  return [
    ...packageFiles(directory, 'authentication'),
    ...shellFiles(directory, true),
    ...copies(directory, SHARED),
    ...OWN.map(own('generated')),
    ...USERS.map(own('user')),
  ]
}
