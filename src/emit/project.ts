import type { Platform } from '../model/platform.ts'
import type { Emitter, GeneratedFile } from './contract.ts'
import { emitCompose } from './compose/emit.ts'
import { emitDatabases } from './database/emit.ts'
import { emitDeployScript } from './deploy/deploy-script.ts'
import { emitGitignore } from './docs/gitignore.ts'
import { emitReadme } from './docs/readme.ts'
import { emitGateway } from './gateway/envoy.ts'
import { emitOpenApi } from './openapi/emit.ts'
import { authenticationFiles } from './typescript/authentication.ts'
import { entityServices } from './typescript/entity-service.ts'

/** Everything that a project consists of, one emitter a part. */
const EMITTERS: readonly Emitter[] = [
  authenticationFiles,
  emitCompose,
  emitDatabases,
  emitDeployScript,
  emitGateway,
  emitGitignore,
  emitOpenApi,
  emitReadme,
  entityServices,
]

/** Every file of a platform's project, sorted by path so that the order of evaluation never shows. */
export function emitProject(platform: Platform): readonly GeneratedFile[] {
  return EMITTERS.flatMap((emitter) => emitter(platform)).sort((a, b) => (a.path < b.path ? -1 : 1))
}
