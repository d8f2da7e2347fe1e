import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** Runs a program of Go. Returns everything that it prints. */
export function runGo(
  program: string,
  parameters: readonly string[],
  cwd?: string,
  env?: NodeJS.ProcessEnv,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, parameters, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      if (error !== null && 'code' in error && error.code === 'ENOENT')
        reject(new Error(`${program} was not found: install Go 1.26 or later from https://go.dev/dl`))
      else resolve(stdout + stderr)
    })
  })
}

/** A program that `.ci/install/go-linters` installs. Throws where it did not. */
export function goLinter(name: string): string {
  const file = path.join(process.env['PORTICO_CI_HOME'] ?? '/var/tmp/portico-ci', 'go-linters/bin', name)
  if (!existsSync(file)) throw new Error(`${file} is missing: run .ci/install/go-linters`)
  return file
}
