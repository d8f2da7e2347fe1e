import { execFile } from 'node:child_process'
import path from 'node:path'

const COMPILER = path.join(import.meta.dirname, '../node_modules/.bin/tsc')

/** Compiles a project, a directory or its `tsconfig.json`, and returns the errors, with paths relative to it. */
export function typeErrors(project: string, ...options: string[]): Promise<string> {
  const cwd = project.endsWith('.json') ? path.dirname(project) : project
  // Parallel checkers would each build the types of the dependencies: with four, it takes three times the work.
  const args = ['--project', project, '--checkers', '1', ...options]
  return new Promise((resolve) => {
    execFile(COMPILER, args, { cwd, maxBuffer: 1 << 24 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}
