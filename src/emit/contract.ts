import type { Platform } from '../model/platform.ts'

/**
 * A file of a generated project. `path` is relative to the output directory, with `/` between segments.
 * A `user` file is created once and never overwritten, a `generated` file is updated, and a `shared` file
 * (`package.json`, `go.mod` and their lock files) is merged with the user's changes.
 */
export interface GeneratedFile {
  readonly path: string
  readonly content: string
  readonly owner: 'generated' | 'user' | 'shared'
  /** How a `shared` file is merged, unless it is JSON. */
  readonly format?: TextFormat
  /**
   * The path of the shared file whose dependencies this one locks. It is the user's once they have others than the
   * generated ones.
   */
  readonly locks?: string
  /** Whether the file is executable (`deploy.sh`). Ignored on systems without such a permission. */
  readonly executable?: boolean
  /** Whether the project works without a `user` file, so that it is not created again after the user deleted it. */
  readonly optional?: boolean
}

/** The formats of shared files that are not JSON. */
export type TextFormat = 'go.mod' | 'go.sum'

/** A pure function from the model to files, without access to file system, clock or random numbers. */
export type Emitter = (platform: Platform) => GeneratedFile[]
