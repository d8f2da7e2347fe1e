import { isObject, type Json } from '../json.ts'
import { parseObject } from './json.ts'
import type { Move } from './moves.ts'
import { isSafePath } from './paths.ts'
import { changesFile, pathOf, type Action } from './plan.ts'
import { digest } from './project-view.ts'

/** One step of a write. Its index names its new and its old file in the staging directory. */
export interface JournalStep {
  readonly path: string
  /** The digest of the file that is moved to the path; `null` if the path is only cleared. */
  readonly next: string | null
  /** The digest of the generated file that is replaced or removed. */
  readonly previous: string | null
  /** Where whatever is at the path is kept instead. */
  readonly backup: string | null
}

/** A write: the directories that are moved first, then the steps. */
export interface Journal {
  readonly moves: readonly Move[]
  readonly steps: readonly JournalStep[]
}

/** Returns the steps that apply a plan. */
export function stepsOf(actions: readonly Action[]): JournalStep[] {
  return actions.filter(changesFile).map((action) => ({
    path: pathOf(action),
    next: action.kind === 'remove' ? null : digest(action.file.content),
    previous: action.kind === 'replace' || action.kind === 'remove' ? action.previous.sha256 : null,
    backup: 'backup' in action ? (action.backup ?? null) : null,
  }))
}

/** Returns a journal as text. */
export function formatJournal({ moves, steps }: Journal): string {
  return JSON.stringify({ version: 2, moves, steps })
}

/** Reads a journal; `undefined` if the text is not one. Paths in it are checked, because anyone may edit the file. */
export function parseJournal(text: string): Journal | undefined {
  const json = parseObject(text)
  if (json?.['version'] !== 2) return undefined
  const { moves: movesJson = [], steps: stepsJson } = json
  if (!Array.isArray(movesJson) || !Array.isArray(stepsJson)) return undefined
  const moves = movesJson.map(parseMove)
  const steps = stepsJson.map(parseStep)
  const isValid = moves.every((move) => move !== undefined) && steps.every((step) => step !== undefined)
  return isValid ? { moves, steps } : undefined
}

function parseMove(json: Json): Move | undefined {
  if (!isObject(json)) return undefined
  const { from = null, to = null } = json
  return isPath(from) && isPath(to) ? { from, to } : undefined
}

function parseStep(json: Json): JournalStep | undefined {
  if (!isObject(json)) return undefined
  const { path = null, next = null, previous = null, backup = null } = json
  if (!isPath(path) || (backup !== null && !isPath(backup))) return undefined
  return isText(next) && isText(previous) ? { path, next, previous, backup } : undefined
}

function isPath(json: Json): json is string {
  return typeof json === 'string' && isSafePath(json)
}

function isText(json: Json): json is string | null {
  return json === null || typeof json === 'string'
}
