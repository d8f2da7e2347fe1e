import { readManifest } from '../output/update-project.ts'
import { EXIT } from './exit-status.ts'
import { Failure } from './failure.ts'

/** What the manifest of a client says in its answers; that of a project never does. */
export const CLIENT_ANSWER = 'client'

/**
 * Stops where the output directory holds what another command generated: all its files would be taken for old ones
 * of what is generated now, and removed.
 *
 * @throws a `Failure` of status 3.
 */
export function requireKind(root: string, directory: string, kind: 'project' | 'client'): void {
  const manifest = readManifest(root)
  if (!manifest.ok) throw new Failure(EXIT.surroundings, manifest.problem.message, manifest.problem.advice)
  const { files, answers } = manifest.value
  const found = answers[CLIENT_ANSWER] === undefined ? 'project' : 'client'
  if (files.size === 0 || found === kind) return
  throw new Failure(
    EXIT.surroundings,
    `${directory} holds a generated ${found}, not a ${kind}. Nothing was changed.`,
    `Give the ${kind} a directory of its own with -o.`,
  )
}
