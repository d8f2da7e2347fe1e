// Prints a bill of materials (CycloneDX) of what Portico installs and what it contains:
// `node scripts/sbom.mjs <list of licenses...>`. For npm, the packages that are bundled are development dependencies
// like all others; the lists of licenses name them.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DEVELOPMENT = 'cdx:npm:package:development'
/** The first line of a package: `langium 4.4.0 (MIT)`. */
const HEADING = /(?<=^|^-{80}\n\n)(\S+) (\d\S*) \(.*\)$/gm

const lists = process.argv.slice(2)
const bundled = new Set(
  lists.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(HEADING), ([, name, version]) => `${name}@${version}`),
  ),
)
if (bundled.size === 0) throw new Error('No list of licenses names a package')

const root = fileURLToPath(new URL('..', import.meta.url))
const { name } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
const sbom = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }))

// npm names it after the directory.
sbom.metadata.component.name = name
sbom.components = sbom.components.filter((component) => {
  const isBundled = bundled.delete(component['bom-ref'])
  if (!component.properties.some((property) => property.name === DEVELOPMENT)) return true
  component.properties = [{ name: 'cdx:npm:package:bundled', value: 'true' }]
  return isBundled
})
if (bundled.size > 0) throw new Error(`Not in package-lock.json: ${[...bundled].join(', ')}`)

const kept = new Set([sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']))
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }))
console.log(JSON.stringify(sbom, undefined, 1))
