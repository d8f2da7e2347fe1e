import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * What the code of a service is at this moment: a hash of its sources and its `package.json`. It tells a save
 * that changes something from one that does not, and the user's saves from our own.
 */
export async function sourceFingerprint(directory: string): Promise<string> {
  const source = path.join(directory, 'src')
  const entries = await readdir(source, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const file of [...files.sort(), path.join(directory, 'package.json')]) {
    const content = await readFile(file).catch(() => Buffer.alloc(0))
    hash.update(`${path.relative(directory, file)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
