import type { FileSystemProvider } from 'langium'
import type { DefinitionFolder } from '../language/imports.ts'
import type { DefinitionFiles } from '../language/parse.ts'

/** What the server needs from where it runs: a process with a disk (`node-host.ts`), or a page. */
export interface ServerHost {
  readonly fileSystemProvider: () => FileSystemProvider
  /** The folder of a definition on the disk, by the path of the definition. */
  readonly folderOf: (definition: string) => Pick<DefinitionFolder, 'read'>
  /** Whether a file is a link out of a folder. Throws if it does not exist. */
  readonly isSymlinkOutside: (folder: string, file: string) => boolean
  /** Draws the diagram of a valid definition as SVG, in another thread, so that no request waits for it. */
  readonly draw: (files: DefinitionFiles['files'], interactive: boolean) => Promise<string>
  /** Called when the client shuts the server down. */
  readonly stop: () => void
}
