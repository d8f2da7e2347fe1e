import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The directory of a package, from the path of one of its files. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/** Returns the licenses of the packages that contain these files, whose paths are relative to `root`. */
export async function licensesOf(root, files) {
  const packages = new Set(files.map((path) => PACKAGE.exec(path)?.[0]).filter((path) => path !== undefined))
  const texts = [...packages]
    .sort((a, b) => (a < b ? -1 : 1))
    .map(async (path) => {
      const directory = join(root, path)
      const { name, version, license } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
      const file = (await readdir(directory)).find((entry) => /^licen[cs]e/i.test(entry))
      const text = file === undefined ? '' : await readFile(join(directory, file), 'utf8')
      return `${name} ${version} (${license})\n\n${text.trim()}\n`
    })
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`)
}
