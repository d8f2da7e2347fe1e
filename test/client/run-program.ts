import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a program to its end and gives its output. Throws with all of it where the program fails. */
export async function runProgram(
  file: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    const { stdout } = await run(file, args, { maxBuffer: 64 * 1024 * 1024, ...options })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${path(file)} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

function path(file: string): string {
  return file.split('/').at(-1) ?? file
}
