import { execFile } from 'node:child_process'

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
