import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { DefinitionFolder } from '../language/imports.ts'
import { isSystemError } from '../system-error.ts'
import { environmentError, usageError } from './command-error.ts'
import type { Context } from './context.ts'

/**
 * Reads a definition, and the files beside it, as they were at a revision of its Git repository.
 *
 * @param file the path in messages.
 * @param path the absolute path of the file, which exists.
 * @param revision a commit in any of Git's notations: `main`, `v1.2`, `HEAD~3`.
 * @throws a `CommandError` if Git is not installed, the file is in no repository, or the revision does not exist or
 *   does not contain the file.
 */
export function readAtRevision(
  file: string,
  path: string,
  revision: string,
  context: Context,
): { readonly text: string; readonly folder: DefinitionFolder } {
  // Git does not follow symbolic links.
  const target = realpathSync(path)
  const git = (...args: readonly string[]) => runGit(args, dirname(target), context)
  const repository = git('rev-parse', '--git-dir')
  if (!repository.succeeded)
    throw environmentError(`Could not read the history of \`${file}\`: ${repository.reason}`)
  const commit = git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`)
  if (!commit.succeeded) throw usageError(`Unknown Git revision \`${revision}\``)
  const read = (name: string) => git('cat-file', 'blob', `${commit.output.trim()}:./${name}`)
  const name = basename(target)
  const blob = read(name)
  if (!blob.succeeded) throw environmentError(`\`${file}\` does not exist at \`${revision}\``)
  const readImport: DefinitionFolder['read'] = (imported) => {
    const { succeeded, output } = read(imported)
    return succeeded ? output : { reason: `it does not exist at ${revision}` }
  }
  return { text: blob.output, folder: { name, read: readImport } }
}

interface GitResult {
  readonly succeeded: boolean
  readonly output: string
  /** What Git says about a failure, without `fatal:`. */
  readonly reason: string
}

/** Git sets these for hooks, relative to another directory. Without them it finds the repository from `cwd`. */
const HOOK_VARIABLES = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_PREFIX: undefined }

function runGit(args: readonly string[], cwd: string, context: Context): GitResult {
  const env = { ...context.env, ...HOOK_VARIABLES, LC_ALL: 'C' }
  const options = { cwd, env, encoding: 'utf8', maxBuffer: Infinity } as const
  const { error, status, stdout, stderr } = spawnSync('git', args, options)
  if (isSystemError(error) && error.code === 'ENOENT') throw environmentError('Git is not installed')
  const [firstLine = ''] = stderr.split('\n')
  return { succeeded: status === 0, output: stdout, reason: firstLine.replace(/^fatal: /, '') }
}
