import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { tokenFilter } from '../gateway/token-filter.ts'
import { readTemplate } from '../kit/templates.ts'
import { deployments } from './secret-readers.ts'

/** In this order: a part runs nothing of a later one before `main.sh`, which comes last. */
const PARTS = [
  'messages',
  'requirements',
  'lock',
  'containers',
  'images',
  'secrets',
  'rotation',
  'replace',
  'up',
  'commands',
  'main',
] as const

/**
 * `deploy.sh`: one file, so that it can be sourced; what varies with the platform stands near its top. Nothing where
 * the platform runs on something other than Docker Compose.
 */
export function emitDeployScript(platform: Platform): GeneratedFile[] {
  if (platform.provider !== 'dockerCompose') return []
  const text = [part('enter'), part('begin'), platformPart(platform), ...PARTS.map(part)].join('')
  return [{ path: 'deploy.sh', content: text, owner: 'generated', executable: true }]
}

function part(name: string): string {
  return readTemplate(`deploy/${name}.sh`)
}

function platformPart(platform: Platform): string {
  const { names, authentication } = platform
  const rows = deployments(platform).map(
    ({ directory, databaseDirectory, path }) => `${directory} ${databaseDirectory} ${path}`,
  )
  return `
# --- This platform ---

readonly PLATFORM=${quote(names.declared)}
# The service that issues tokens; empty without authentication.
readonly AUTHENTICATION=${quote(authentication?.directory ?? '')}
# Directory, database and path of each service.
readonly SERVICES=${quote(rows.join('\n'))}

${tokenFilterFunction(platform)}`
}

/** The gateway's check of tokens, with the secrets of its two slots filled in by the shell. */
function tokenFilterFunction({ authentication }: Platform): string {
  if (authentication === undefined) return 'token_filter() { :; }\n'
  const format = tokenFilter('%s', '%s').trimEnd().replaceAll('\\', '\\\\')
  return `# What the gateway checks tokens with: $1 and $2 are the secrets of auth-service-1 and auth-service-2.
token_filter() {
  printf ${quote(`${format}\\n`)} "$1" "$2"
}
`
}

/** One word of the shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
