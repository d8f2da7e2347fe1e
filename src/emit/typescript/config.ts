import type { Platform, Service } from '../../model/platform.ts'
import { DEFAULT_JOBS } from '../../model/capacity.ts'
import { codeFile } from '../codegen/code-file.ts'
import { type Code, call, code, object } from '../codegen/layout.ts'
import { hasQueue } from '../database/jobs.ts'
import { numericLiteral } from './entities.ts'

const CONFIG = '#lib/config.ts'

/** `config.ts`: the configuration of a service, read from environment variables. */
export function configFile({ authentication }: Platform, service: Service): string {
  const file = codeFile('config.ts')
  const { database, databaseDirectory, maxBodyBytes, calls } = service
  const base = file.value(CONFIG, 'baseConfig')
  const url = `'postgres://${database}@${databaseDirectory}:5432/${database}'`
  const members: Code[] = [
    code`DATABASE_URL: ${call(`${base}.shape.DATABASE_URL.default`, url)}`,
    `MAX_BODY_BYTES: ${base}.shape.MAX_BODY_BYTES.default(${numericLiteral(maxBodyBytes)})`,
    ...(authentication === undefined
      ? []
      : [`GATEWAY_CREDENTIALS_FILE: ${file.value(CONFIG, 'credentialsPath')}`]),
    ...(hasQueue(service)
      ? [
          `/** How many jobs run at a time. */\nJOBS: ${file.value(CONFIG, 'integer')}(0, 100).default(${DEFAULT_JOBS})`,
        ]
      : []),
    ...calls.map(
      ({ urlVariable, url: address }) =>
        code`${urlVariable}: ${call(`${file.value(CONFIG, 'httpUrl')}.default`, `'${address}'`)}`,
    ),
    ...(calls.some(({ isAuthentication }) => isAuthentication)
      ? [`SERVICE_KEYS_DIRECTORY: ${file.value('#lib/service-keys.ts', 'keysDirectory')}`]
      : []),
  ]
  return file.text(code`/** The environment variables of the service, with their defaults. */
export const Config = ${call(`${base}.extend`, object(members))}
export type Config = ${file.type('zod', 'z')}.infer<typeof Config>`)
}
