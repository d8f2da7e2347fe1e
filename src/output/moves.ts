import { databaseDirectoryOf, serviceOfDatabase } from '../naming.ts'
import type { Manifest } from './manifest.ts'
import { isSafePath } from './paths.ts'
import type { Generation, Plan } from './plan.ts'
import type { ProjectView } from './project-view.ts'

/** A directory at the top level of a project that takes a new name, because its service was renamed. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** What happens to the directories of renamed services. */
export interface Moves {
  /** In an order in which each new name is free. */
  readonly moves: readonly Move[]
  /** Those that are left out, because both directories exist. */
  readonly blockedMoves: readonly Move[]
}

/** Returns the moves of the directories that a project has under the former names of services. */
export function planMoves(
  { directories = new Map() }: Generation,
  manifest: Manifest,
  view: ProjectView,
): Moves {
  const pending = [...directories].flatMap(([database, to]): Move[] => {
    const from = manifest.answers[database] ?? serviceOfDatabase(database)
    const isDirectory = isSafePath(from) && !from.includes('/') && view.entry(from).kind === 'directory'
    return isDirectory && from !== to ? [{ from, to }] : []
  })
  const moves: Move[] = []
  for (;;) {
    const next = pending.findIndex(
      ({ to }) => view.entry(to).kind === 'absent' || moves.some(({ from }) => from === to),
    )
    if (next === -1) return { moves, blockedMoves: pending }
    moves.push(...pending.splice(next, 1))
  }
}

/** Returns a project as it is after the moves. */
export function movedView(view: ProjectView, moves: readonly Move[]): ProjectView {
  return {
    entry: (path) => {
      const move = moves.find(({ to }) => isIn(path, to))
      if (move !== undefined) return view.entry(renamed(path, move.to, move.from))
      return moves.some(({ from }) => isIn(path, from)) ? { kind: 'absent' } : view.entry(path)
    },
  }
}

/** Returns a plan that names files in the way where they are, because they stay there. */
export function unmovedConflicts(plan: Plan, moves: readonly Move[]): Plan {
  const conflicts = plan.conflicts.map((conflict) => {
    const move = moves.find(({ to }) => isIn(conflict.path, to))
    return move === undefined ? conflict : { ...conflict, path: renamed(conflict.path, move.to, move.from) }
  })
  return { ...plan, conflicts }
}

/** Returns a manifest as it is after the moves. */
export function movedManifest(manifest: Manifest, moves: readonly Move[]): Manifest {
  const files = [...manifest.files].map(([path, record]) => {
    const move = moves.find(({ from }) => isIn(path, from))
    return [move === undefined ? path : renamed(path, move.from, move.to), record] as const
  })
  return { ...manifest, files: new Map(files) }
}

/** Returns a generation that records where the services of renamed databases are. */
export function movedGeneration(generation: Generation, manifest: Manifest): Generation {
  const renamedDirectories = [...(generation.directories ?? [])].filter(
    ([database, directory]) =>
      database !== databaseDirectoryOf(directory) || manifest.answers[database] !== undefined,
  )
  return { ...generation, answers: { ...generation.answers, ...Object.fromEntries(renamedDirectories) } }
}

/** Introduces moves that were left out. */
export const BLOCKED_MOVE = 'Both directories exist. Move your files yourself'

/** Returns a move as text: `house/ -> home/`. */
export function describeMove({ from, to }: Move): string {
  return `${from}/ -> ${to}/`
}

function isIn(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`)
}

function renamed(path: string, from: string, to: string): string {
  return to + path.slice(from.length)
}
