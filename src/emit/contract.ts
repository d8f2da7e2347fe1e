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
  /** Whether it may be run as a program (`deploy.sh`); where files have no such bit, it means nothing. */
  readonly executable?: boolean
  /** Of a `user` file: the project works without it, so one that the user deleted is not brought back. */
  readonly optional?: boolean
}

/** A pure function from the model to files: no file system, no clock, no randomness. */
export type Emitter = (platform: Platform) => GeneratedFile[]
