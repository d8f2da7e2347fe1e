import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { compile } from '../../../src/compile.ts'
import type { Platform } from '../../../src/model/platform.ts'
import { run } from '../../cli/harness.ts'

/** Runs `portico generate` with a definition's text, and gives the model. Throws where it fails. */
export async function generate(
  directory: string,
  text: string,
  ...options: readonly string[]
): Promise<Platform> {
  const definition = path.join(directory, 'definition.portico')
  await writeFile(definition, text)
  await portico(directory, 'generate', definition, ...options)
  const { platform } = compile(text)
  if (!platform) throw new Error(`Not valid:\n${text}`)
  return platform
}

/** Runs a command of Portico on the project in a directory. */
export async function portico(directory: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run([...args, '--output', directory], { cwd: directory })
  if (status !== 0) throw new Error(`portico ${args.join(' ')}: ${status}\n${stderr}`)
  return stdout
}
