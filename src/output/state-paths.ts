import { join } from 'node:path'

/** The directory inside an output directory where generation keeps its own files. */
export const STATE_DIRECTORY = '.portico'

/** Absolute paths of the files that generation keeps in an output directory. */
export type StatePaths = ReturnType<typeof statePaths>

/** Returns the state paths of an output directory. */
export function statePaths(root: string) {
  const directory = join(root, STATE_DIRECTORY)
  const staging = join(directory, 'staging')
  return {
    directory,
    manifest: join(directory, 'manifest.json'),
    /** Keeps everything but the manifest out of version control. */
    gitignore: join(directory, '.gitignore'),
    lock: join(directory, 'lock'),
    /** Exists while a write is applied or rolled back. */
    journal: join(directory, 'journal.json'),
    staging,
    stagedJournal: join(staging, 'journal.json'),
    /** Is moved to `manifest` at the end of a write: without it, the write is complete. */
    stagedManifest: join(staging, 'manifest.json'),
    /** The new file of a step. */
    newFile: (step: number) => join(staging, `${step}.new`),
    /** The file that a step replaced or removed. */
    oldFile: (step: number) => join(staging, `${step}.old`),
  } as const
}
