import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readDefinition, writeProject } from '../../../src/dev/generation.ts'
import type { Platform } from '../../../src/model/platform.ts'

/** Generates a definition's project into a directory, as `portico generate` does, and gives the model. */
export async function generate(directory: string, text: string): Promise<Platform> {
  const definition = path.join(directory, 'definition.portico')
  await writeFile(definition, text)
  const { generation, diagnostics } = await readDefinition(definition, { language: 'typescript' }, () => {})
  if (!generation) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`)
  await writeProject(directory, generation)
  return generation.platform
}
