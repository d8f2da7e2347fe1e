import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { typescriptClient } from '../../src/emit/client/typescript/emit.ts'
import { typeErrors } from '../compiler.ts'
import { platformOf } from '../emit/platform.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** A client package on the disk. */
export interface GeneratedClient {
  readonly directory: string
  /** Compiles it with its own configuration, and gives what its index exports. */
  compile(): Promise<Record<string, unknown>>
  discard(): Promise<void>
}

/** Writes the client of a definition into a temporary directory, where Node's own types are found. */
export async function generateClient(definition: string): Promise<GeneratedClient> {
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-client-'))
  for (const { path: name, content } of typescriptClient(platformOf(definition))) {
    const file = path.join(directory, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'))
  return {
    directory,
    compile: async () => {
      const errors = await typeErrors(directory)
      if (errors !== '') throw new Error(errors)
      const module: unknown = await import(pathToFileURL(path.join(directory, 'dist/index.js')).href)
      return module as Record<string, unknown>
    },
    discard: () => rm(directory, { recursive: true, force: true }),
  }
}
