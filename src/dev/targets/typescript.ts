import { installDependencies, readDependencies } from '../install-dependencies.ts'
import { startInstance } from '../service-instance.ts'
import { compileCacheDirectory } from '../state-directory.ts'
import type { DevTarget, RunnerOptions, StartService } from '../target.ts'
import { createTypeCheck } from '../type-check.ts'
import { PLACEHOLDERS } from '../worker/origin-guard.ts'

/** Services in TypeScript: each in a thread of this process, whose files Node runs as they are. */
export const TYPESCRIPT: DevTarget = {
  shared: ['lib', 'shared', 'package.json'],
  sources: (directory) => [`${directory}/src`],
  setup: (directory) => `${directory}/src/setup.ts`,
  // Portico itself needs Node.js.
  requireTools: () => {},
  createRunner,
  createCheck: createTypeCheck,
}

function createRunner(options: RunnerOptions): StartService {
  const { output, stateDirectory, corsOrigins, onProgress } = options
  const compileCache = compileCacheDirectory(stateDirectory)
  /** The installation that is under way. Services that start meanwhile share it. */
  let installation: Promise<string | undefined> | undefined

  function generatedDependencies(): ReturnType<typeof readDependencies> {
    const packageFile = options.files().find((file) => file.path === 'package.json')
    return readDependencies(packageFile?.content ?? '{}')
  }

  return async ({ directory, environment, onLine, onStall }, signal) => {
    installation ??= installDependencies({
      directory: output,
      generated: generatedDependencies(),
      onProgress,
      signal,
    }).finally(() => {
      installation = undefined
    })
    const [failure, variables] = await Promise.all([installation, environment])
    if (failure !== undefined) return { failure }
    return startInstance(
      {
        output,
        service: directory,
        environment: {
          ...variables,
          PORT: String(PLACEHOLDERS.port),
          INTERNAL_PORT: String(PLACEHOLDERS.internalPort),
        },
        compileCache,
        corsOrigins,
        onLine,
        onStall,
      },
      signal,
    )
  }
}
