// Bundles the command line into dist/: `node scripts/build.mjs [directory]`.
//
// Each command is a chunk of its own, loaded when it is called. The dependencies of package.json stay what they
// are: they run generated services or bring files of their own (the compiler, the database). Its development
// dependencies are bundled where the source imports them, and their licences with them. Every file of the bundle
// lies one directory below dist/, so that one relative path serves all of them. The language server is one more
// file, dist/lsp.mjs, that needs none of the others; the pages of the explorer, dist/explorer/, are for browsers.
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleDependencies } from './bundle-dependencies.mjs'
import { bundleExplorer } from './bundle-explorer.mjs'
import { bundleServer, takeBuiltins } from './bundle-server.mjs'
import { licencesOf } from './licences.mjs'

const { dependencies } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = resolve(process.argv[2] ?? join(root, 'dist'))
const fresh = `${outdir}.${process.pid}`
const old = `${fresh}.old`

/** `new URL('./x.ts', import.meta.url)` in the source names a file that runs on its own: a worker. */
const WORKER_URL = /new URL\('(\.{1,2}\/[^']+)\.ts', import\.meta\.url\)/g

try {
  const main = { 'cli/main': 'src/cli/main.ts' }
  const { workers } = await bundle(main)
  const { inputs } = await bundle({ ...main, ...Object.fromEntries(workers) })
  inputs.push(...(await bundleServer(root, fresh)))
  inputs.push(...(await bundleExplorer(root, join(fresh, 'explorer'))))
  await writeFile(join(fresh, 'THIRD-PARTY-LICENSES.txt'), await licencesOf(root, inputs))
  await bundleDependencies(root, join(fresh, 'dependencies'))
  // What runs from the old bundle finds it up to the moment when the new one is there.
  await rename(outdir, old).catch(() => {})
  await rename(fresh, outdir)
} finally {
  for (const left of [fresh, old]) await rm(left, { recursive: true, force: true })
}

/** Bundles the entry points; gives the workers that they name and the files that went into the bundle. */
async function bundle(entryPoints) {
  const workers = new Map()
  await rm(fresh, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: fresh,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
    legalComments: 'none',
    external: Object.keys(dependencies),
    plugins: [
      { name: 'workers', setup: (esbuild) => esbuild.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, load) },
      { name: 'builtins', setup: takeBuiltins },
    ],
    metafile: true,
    logLevel: 'warning',
  })
  return { workers, inputs: Object.keys(metafile.inputs) }

  async function load({ path }) {
    if (!path.startsWith(join(root, 'src'))) return undefined
    const contents = (await readFile(path, 'utf8')).replace(WORKER_URL, (_, relative) => {
      const source = join(dirname(path), `${relative}.ts`)
      const name = `workers/${basename(relative)}`
      workers.set(name, source)
      return `new URL('../${name}.mjs', import.meta.url)`
    })
    return { contents, loader: 'ts' }
  }
}
