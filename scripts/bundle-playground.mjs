// Bundles the playground for any static web server: `node scripts/bundle-playground.mjs [directory]`. Without a
// directory, bundles it into dist/playground and serves it on this machine.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, context } from 'esbuild'
import { licensesOf } from './licenses.mjs'

const root = resolve(fileURLToPath(new URL('..', import.meta.url)))
const outdir = resolve(process.argv[2] ?? join(root, 'dist/playground'))
/** In the order of the page's list. */
const EXAMPLES = ['stays', 'desk', 'field', 'booking', 'chat', 'tiny', 'types']

const shared = {
  absWorkingDir: root,
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  chunkNames: 'part-[hash]',
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}
const forPages = { name: 'page', setup: inPage }

await rm(outdir, { recursive: true, force: true })
await mkdir(outdir, { recursive: true })
const results = await Promise.all([
  // In one build: the compiler and the language server share the parser, which is half of each.
  build({
    ...shared,
    entryPoints: {
      compiler: 'playground/src/compiler.worker.ts',
      language: 'playground/src/language.worker.ts',
    },
    plugins: [forPages],
  }),
  build({ ...shared, entryPoints: { main: 'playground/src/main.tsx' } }),
])
const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
await writeFile(join(outdir, 'THIRD-PARTY-LICENSES.txt'), await licensesOf(root, inputs))
await writeFile(join(outdir, 'examples.json'), JSON.stringify(await Promise.all(EXAMPLES.map(example))))
for (const [folder, texts] of await templates())
  await writeFile(join(outdir, `templates-${folder}.json`), JSON.stringify(Object.fromEntries(texts)))
await cp(join(root, 'playground/index.html'), join(outdir, 'index.html'))

if (process.argv[2] === undefined) {
  const { hosts, port } = await (await context({})).serve({ servedir: outdir, host: '127.0.0.1' })
  console.log(`http://${hosts[0]}:${port}`)
}

/** An example with the files that it imports: its main file first. */
async function example(name) {
  const folder = join(root, 'examples', name)
  const main = `${name}.portico`
  const paths = (await readdir(folder, { recursive: true }))
    .filter((path) => path.endsWith('.portico') && !path.startsWith('platform'))
    .map((path) => path.split(sep).join('/'))
  const ordered = [main, ...paths.filter((path) => path !== main).sort()]
  const definition = await Promise.all(
    ordered.map(async (path) => ({ path, text: await readFile(join(folder, path), 'utf8') })),
  )
  return { name, definition }
}

/** The templates, by path, in groups by the first segment of their path. */
async function templates() {
  const folder = join(root, 'templates')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const texts = await Promise.all(
    files.map(async (file) => [relative(folder, file).split(sep).join('/'), await readFile(file, 'utf8')]),
  )
  return Map.groupBy(texts, ([path]) => path.split('/')[0])
}

/** A page has no disk: it loads the templates of a language when it needs the first one. Of package.json, it needs the version. */
function inPage(esbuild) {
  esbuild.onLoad({ filter: /[\\/]codegen[\\/]templates\.ts$/ }, () => ({
    contents: `const texts = {}
export function readTemplate(path) {
  const [folder] = path.split('/')
  if (texts[folder] === undefined) {
    // The emitters are synchronous, and this is a worker.
    const request = new XMLHttpRequest()
    request.open('GET', 'templates-' + folder + '.json', false)
    request.send()
    texts[folder] = JSON.parse(request.responseText)
  }
  return texts[folder][path]
}`,
    loader: 'js',
  }))
  esbuild.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
    if (dirname(path) !== root) return undefined
    const { version } = JSON.parse(await readFile(path, 'utf8'))
    return { contents: JSON.stringify({ version }), loader: 'json' }
  })
}
