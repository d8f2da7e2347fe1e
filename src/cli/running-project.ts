import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type RunningDatabase, runningDatabases } from '../dev/running-databases.ts'
import { statePaths } from '../output/state-paths.ts'
import type { Invocation } from './command.ts'
import { environmentError } from './command-error.ts'
import type { Context } from './context.ts'

/**
 * The databases of the `portico dev` that runs on the project of `--output`, or around or in the working directory.
 *
 * @throws a `CommandError` if `portico dev` runs on none of the projects.
 */
export async function findDatabases(invocation: Invocation, { cwd }: Context): Promise<RunningDatabase[]> {
  const output = invocation.text('output')
  const projects = output === undefined ? projectsAround(cwd) : [resolve(cwd, output)]
  for (const project of projects) {
    const databases = await runningDatabases(project)
    if (databases !== undefined) return databases
  }
  throw environmentError(
    `\`portico dev\` is not running on ${output === undefined ? 'a project in the current directory' : `\`${output}\``}`,
    'start it, or pass the directory of its project with `--output`',
  )
}

/** The project that a directory is in, and those in the directory itself, beside their definitions. */
function projectsAround(cwd: string): string[] {
  const inside = readdirSync(cwd, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(cwd, name))
  let directory = cwd
  while (!isProject(directory) && directory !== dirname(directory)) directory = dirname(directory)
  return [directory, ...inside].filter(isProject)
}

function isProject(directory: string): boolean {
  return existsSync(statePaths(directory).manifest)
}
