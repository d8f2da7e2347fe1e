import { kindOf, type OutputKind } from '../output/output-kind.ts'
import { readManifest } from '../output/update-project.ts'
import { EXIT } from './exit-status.ts'
import { Failure } from './failure.ts'

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
  const found = kindOf(manifest.value)
  if (found === undefined || found === kind) return
  throw new Failure(
    EXIT.surroundings,
    `${directory} holds a generated ${found}, not ${NAMES[kind]}. Nothing was changed.`,
    `Give the ${kind} a directory of its own with -o.`,
  )
}
