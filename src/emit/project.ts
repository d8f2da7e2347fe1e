import type { Platform } from '../model/platform.ts'
import type { Emitter, GeneratedFile } from './contract.ts'
import { emitCompose } from './compose/emit.ts'
import { emitDeployScript } from './deploy/deploy-script.ts'
import { emitAgents } from './docs/agents.ts'
import { emitGitFiles } from './docs/git-files.ts'
import { emitReadme } from './docs/readme.ts'
import { emitSharedDirectory } from './docs/shared-directory.ts'
import { emitGateway } from './gateway/envoy.ts'
import { emitTokenFilter } from './gateway/token-filter.ts'
import { emitImages } from './images/emit.ts'
import { emitKubernetes } from './kubernetes/emit.ts'
import { emitObservability } from './observability/prometheus.ts'
import { planProject } from './migrations/project-plan.ts'
import { emitOpenApi } from './openapi/emit.ts'
import { emitServices } from './targets.ts'

/** The emitters of all parts of a project. */
const EMITTERS: readonly Emitter[] = [
  emitAgents,
  emitCompose,
  emitDeployScript,
  emitGateway,
  emitGitFiles,
  emitImages,
  emitObservability,
  emitOpenApi,
  emitReadme,
  emitServices,
  emitSharedDirectory,
  emitTokenFilter,
]

/**
 * All files of a platform's project, sorted by path. `migrations` are the files of the `migrations` directories;
 * without them, those of a new project.
 */
export function emitProject(
  platform: Platform,
  migrations: readonly GeneratedFile[] = planProject(platform, []).files,
): readonly GeneratedFile[] {
  const files = EMITTERS.flatMap((emitter) => emitter(platform))
  return [...files, ...emitKubernetes(platform, migrations), ...migrations].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  )
}
