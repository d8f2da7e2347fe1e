import type { Platform } from '../model/platform.ts'

/**
 * One file of a generated project. `path` is relative to the output directory, with `/` between segments.
 * A `user` file is written once and never again; a `generated` one is kept current; a `shared` one
 * (`package.json` and its lock file) is merged with what the user added.
 */
export interface GeneratedFile {
  readonly path: string
  readonly content: string
  readonly owner: 'generated' | 'user' | 'shared'
}

/** A pure function from the model to files: no file system, no clock, no randomness. */
export type Emitter = (platform: Platform) => GeneratedFile[]
