import { readManifest } from '../output/update-project.ts'
import { EXIT } from './exit-status.ts'
import { Failure } from './failure.ts'

/** What a directory was generated for. All but a project say so in the answers of their manifest. */
export type OutputKind = 'project' | 'client' | 'explorer'

const NAMES: Readonly<Record<OutputKind, string>> = {
  project: 'a project',
  client: 'a client',
  explorer: 'an explorer',
}

/**
 * Stops where the output directory holds what another command generated: all its files would be taken for old ones
 * of what is generated now, and removed.
 *
 * @throws a `Failure` of status 3.
 */
export function requireKind(root: string, directory: string, kind: OutputKind): void {
  const manifest = readManifest(root)
  if (!manifest.ok) throw new Failure(EXIT.surroundings, manifest.problem.message, manifest.problem.advice)
  const { files, answers } = manifest.value
  const found = (['client', 'explorer'] as const).find((other) => answers[other] !== undefined) ?? 'project'
  if (files.size === 0 || found === kind) return
  throw new Failure(
    EXIT.surroundings,
    `${directory} holds a generated ${found}, not ${NAMES[kind]}. Nothing was changed.`,
    `Give the ${kind} a directory of its own with -o.`,
  )
}
