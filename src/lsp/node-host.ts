import { NodeFileSystem } from 'langium/node'
import { definitionFolder, isSymlinkOutside } from '../definition-folder.ts'
import { DiagramThread } from './diagram-thread.ts'
import type { ServerHost } from './host.ts'

/**
 * A server in a process.
 *
 * @param server URL of the server's module, which the thread that draws diagrams runs too
 */
export function nodeHost(server: URL): ServerHost {
  const thread = new DiagramThread(server)
  return {
    ...NodeFileSystem,
    folderOf: definitionFolder,
    isSymlinkOutside,
    draw: (files, interactive) => thread.draw(files, interactive),
    stop: () => thread.stop(),
  }
}
