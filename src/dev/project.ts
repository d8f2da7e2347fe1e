import path from 'node:path'
import { type Compilation, compile } from '../compile.ts'
import { emitProject } from '../emit/project.ts'
import { definitionFolder, readDefinitionFile } from '../definition-folder.ts'
import type { GeneratedFile } from '../emit/contract.ts'
import { SCHEMA_FILE } from '../migration/folder.ts'
import { directoriesByDatabase } from '../model/deployed-services.ts'
import type { Platform } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import { readMigrationFolders } from '../output/migration-folders.ts'
import { readModule } from '../output/go-mod.ts'
import { defaultProjectDirectory } from '../output/project-directory.ts'
import { outputKind } from '../output/manifest.ts'
import { BLOCKED_MOVE, describeMove } from '../output/moves.ts'
import { EJECTED_CHANGED, KEPT_EDITED, type Plan } from '../output/plan.ts'
import { readManifest, updateProject } from '../output/update-project.ts'
import type { OnEvent } from './events.ts'
import { PlatformError } from './platform-error.ts'
import { requireTools } from './targets.ts'

/** A definition that was read and checked. */
export interface ProjectCompilation {
  readonly compilation: Compilation
  /** `undefined` if the definition has errors. */
  readonly platform: Platform | undefined
}

/** A platform and every file of its project. */
export interface GeneratedProject {
  readonly platform: Platform
  readonly files: readonly GeneratedFile[]
}

/** Reads and checks a definition for a project in `output`. Throws PlatformError if the platform cannot run. */
export function compileProject(
  file: string,
  overrides: Overrides,
  output: string | undefined,
): ProjectCompilation {
  const text = readDefinitionFile(file)
  if (typeof text !== 'string')
    throw new PlatformError(`Could not read \`${path.basename(file)}\`: ${text.reason}`)
  const compilation = compile(text, overrides, definitionFolder(file))
  if (compilation.platform === undefined) return { compilation, platform: undefined }
  const root = output ?? defaultProjectDirectory(compilation.platform.names.kebab, process.cwd())
  const module = overrides.module ?? readModule(root) ?? compilation.platform.module
  const platform = { ...compilation.platform, module }
  requireTools(platform)
  return { compilation, platform }
}

/** Generates a project in memory. */
export function generateProject(platform: Platform): GeneratedProject {
  return { platform, files: emitProject(platform, []) }
}

/** The files of the `migrations` directories as they are: only `generate` writes any. */
function keptMigrations(output: string): GeneratedFile[] {
  return readMigrationFolders(output).flatMap(({ path: folder, files, schema }) => [
    ...files.map(
      ({ name, content }): GeneratedFile => ({ path: `${folder}/${name}`, content, owner: 'user' }),
    ),
    ...(schema === undefined
      ? []
      : [{ path: `${folder}/${SCHEMA_FILE}`, content: schema, owner: 'generated' as const }]),
  ])
}

/** Writes the project. Throws PlatformError if nothing could be written. */
export async function writeProject(
  output: string,
  { files, platform }: GeneratedProject,
  onEvent: OnEvent = () => {},
): Promise<void> {
  const manifest = readManifest(output)
  if (!manifest.ok) throw new PlatformError(manifest.error.message, manifest.error.help)
  const kind = outputKind(manifest.value) ?? 'project'
  if (kind !== 'project')
    throw new PlatformError(
      `\`${output}\` contains a generated ${kind}, not a project`,
      'choose another directory with `--output`',
    )
  const { answers, definition } = manifest.value
  const outcome = await updateProject(output, {
    files: [...files, ...keptMigrations(output)],
    answers: { ...answers, project: platform.names.kebab },
    definition,
    directories: directoriesByDatabase(platform),
  })
  if (!outcome.ok) throw new PlatformError(outcome.error.message, outcome.error.help)
  const { moves, blockedMoves, plan } = outcome.value
  const notice = (text: string): void => onEvent({ kind: 'notice', service: undefined, text })
  for (const move of moves) notice(`Moved ${describeMove(move)}`)
  for (const move of blockedMoves) notice(`${BLOCKED_MOVE}: ${describeMove(move)}`)
  const kept = newlyKept(plan)
  if (kept.length > 0) notice(`${KEPT_EDITED}: ${kept.join(', ')}`)
  const ejected = plan.ejectedChanges.filter(({ isNew }) => isNew).map((each) => each.path)
  if (ejected.length > 0) notice(`${EJECTED_CHANGED}: ${ejected.join(', ')}`)
}

/** The edited files of directories of which this update removes other files. Later updates keep them too. */
function newlyKept({ actions }: Plan): string[] {
  const removed = new Set(
    actions.flatMap((action) => (action.kind === 'remove' ? [directoryOf(action.path)] : [])),
  )
  return actions.flatMap((action) =>
    action.kind === 'keep' && action.reason === 'edited' && removed.has(directoryOf(action.path))
      ? [action.path]
      : [],
  )
}

function directoryOf(file: string): string | undefined {
  return file.split('/')[0]
}
