import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { decodeDefinition, type ReadFailure } from '../definition-folder.ts'
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
 *   does not contain the file as UTF-8 text.
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
  const commit = commitOf(
    revision,
    git,
    file,
    'pass the older definition as a file: `portico diff <old> <new>`',
  )
  const read = (name: string): string | ReadFailure => {
    const { succeeded, output } = git('cat-file', 'blob', `${commit}:./${name}`)
    const text = succeeded ? decodeDefinition(output) : { reason: 'it does not exist' }
    return typeof text === 'string' ? text : { reason: `${text.reason} at ${revision}` }
  }
  const name = basename(target)
  const text = read(name)
  if (typeof text !== 'string') throw environmentError(`Could not read \`${file}\`: ${text.reason}`)
  return { text, folder: { name, read } }
}

/**
 * Returns the paths of all files that a directory has at a revision of its Git repository.
 *
 * @param directory the absolute path.
 * @throws a `CommandError` if Git is not installed, the directory is in no repository, or the revision does not exist.
 */
export function pathsAtRevision(directory: string, revision: string, context: Context): ReadonlySet<string> {
  const git = (...args: readonly string[]) => runGit(args, directory, context)
  const commit = commitOf(revision, git, directory)
  const { output } = git('ls-tree', '-r', '-z', '--name-only', commit, '.')
  return new Set(output.toString().split('\0'))
}

/** Returns the hash of a commit. */
function commitOf(revision: string, git: Git, path: string, helpWithoutGit?: string): string {
  const repository = git('rev-parse', '--git-dir')
  if (repository.reason.startsWith('not a git repository'))
    throw environmentError(`\`${path}\` is not in a Git repository`, helpWithoutGit)
  if (!repository.succeeded)
    throw environmentError(`Could not read the history of \`${path}\`: ${repository.reason}`)
  const commit = git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`)
  if (!commit.succeeded) {
    const hasCommits = git('rev-list', '--all', '--max-count=1').output.length > 0
    throw usageError(
      `Unknown Git revision \`${revision}\``,
      hasCommits ? 'use a branch, a tag or a commit' : 'the repository has no commits yet',
    )
  }
  return commit.output.toString().trim()
}

type Git = (...args: readonly string[]) => GitResult

interface GitResult {
  readonly succeeded: boolean
  readonly output: Buffer
  /** What Git says about a failure, without `fatal:`. */
  readonly reason: string
}

/** Git sets these for hooks, relative to another directory. Without them it finds the repository from `cwd`. */
const HOOK_VARIABLES = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_PREFIX: undefined }

function runGit(args: readonly string[], cwd: string, context: Context): GitResult {
  const env = { ...context.env, ...HOOK_VARIABLES, LC_ALL: 'C' }
  const { error, status, stdout, stderr } = spawnSync('git', args, { cwd, env, maxBuffer: Infinity })
  if (isSystemError(error) && error.code === 'ENOENT') throw environmentError('Git is not installed')
  const [firstLine = ''] = stderr.toString().split('\n')
  return { succeeded: status === 0, output: stdout, reason: firstLine.replace(/^fatal: /, '') }
}
