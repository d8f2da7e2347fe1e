import type { Disk } from './disk.ts'
import { formatJournal, type Journal, type StatePaths, type Step } from './journal.ts'
import type { Action, Plan } from './plan.ts'

const FILE_MODE = 0o666
const PROGRAM_MODE = 0o777

/**
 * Writes everything that a plan puts into the project, the manifest and the journal included, beside the
 * project, and lays the journal down last. Until then nothing of the project was touched; from then on the
 * write will be finished or undone as a whole.
 *
 * What an ended process has written, the system keeps: against `kill -9` nothing needs flushing. Against a
 * failing power supply, what replaces an older file is flushed before it may, and so are manifest and
 * journal. New files are not: thousands of flushes would cost seconds, and the definition brings them back.
 */
export async function stage(plan: Plan, state: StatePaths, disk: Disk): Promise<Journal> {
  const journal: Journal = { steps: plan.actions.flatMap(stepsOf) }
  disk.removeTree(state.staging)
  for (const directory of [state.staging, state.newFiles, state.oldFiles]) disk.makeDirectory(directory)
  const replacing: string[] = []
  let number = 0
  for (const action of plan.actions) {
    if (action.kind === 'keep' || action.kind === 'unchanged') continue
    const staged = state.staged(number++)
    if (action.kind === 'remove') continue
    disk.create(staged, action.file.content, action.file.executable === true ? PROGRAM_MODE : FILE_MODE)
    if (action.kind !== 'create') replacing.push(staged)
  }
  disk.create(state.stagedManifest, plan.manifestText, FILE_MODE)
  disk.create(state.stagedJournal, formatJournal(journal), FILE_MODE)
  await disk.flush([...replacing, state.stagedManifest, state.stagedJournal])
  disk.rename(state.stagedJournal, state.journal)
  await disk.flush([state.directory])
  return journal
}

function stepsOf(action: Action): Step[] {
  if (action.kind === 'keep' || action.kind === 'unchanged') return []
  if (action.kind === 'remove')
    return [{ kind: 'remove', path: action.path, previous: action.previous.sha256 }]
  const { path, sha256: next } = action.file
  if (action.kind === 'overwrite') return [{ kind: 'overwrite', path, next, backup: action.backup }]
  return [{ kind: 'put', path, next, previous: action.kind === 'create' ? null : action.previous.sha256 }]
}
