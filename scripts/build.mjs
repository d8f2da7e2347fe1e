// Bundles the command line into dist/: `node scripts/build.mjs [directory]`.
//
// Each command is a separate chunk, which is loaded when the command runs. The `dependencies` of package.json are not
// bundled, because they run generated services or have their own files (the compiler, the database), except those that
// the command line uses itself. The `devDependencies` that the source imports are bundled, with their licenses. All
// files are one directory below dist/, so that the same relative paths work in each of them. The language server is an
// independent file, dist/lsp.mjs. The pages of the explorer, dist/explorer/, are for browsers.
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleDependencies } from './bundle-dependencies.mjs'
import { bundleExplorer } from './bundle-explorer.mjs'
import { bundleServer, loadBuiltinsLazily } from './bundle-server.mjs'
import { licensesOf } from './licenses.mjs'
import { trimLangium } from './trim-langium.mjs'

const { dependencies } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = resolve(process.argv[2] ?? join(root, 'dist'))
const fresh = `${outdir}.${process.pid}`
const old = `${fresh}.old`

/** Dependencies that the command line also uses itself. Each has dozens of files. */
const BUNDLED = ['jose', 'undici']

/** `new URL('./x.ts', import.meta.url)` in the source names the entry point of a worker. */
const WORKER_URL = /new URL\('(\.{1,2}\/[^']+)\.ts', import\.meta\.url\)/g

try {
  const main = { 'cli/main': 'src/cli/main.ts' }
  const { workers } = await bundle(main)
  const { inputs } = await bundle({ ...main, ...Object.fromEntries(workers) })
  inputs.push(...(await bundleServer(root, fresh)))
  inputs.push(...(await bundleExplorer(root, join(fresh, 'explorer'))))
  await writeFile(join(fresh, 'THIRD-PARTY-LICENSES.txt'), await licensesOf(root, inputs))
  await bundleDependencies(root, join(fresh, 'dependencies'))
  // Processes that run from the old bundle can read it until the new one replaces it.
  await rename(outdir, old).catch(() => {})
  await rename(fresh, outdir)
} finally {
  for (const left of [fresh, old]) await rm(left, { recursive: true, force: true })
}

/** `portico lsp` runs the separate bundle of the server, because the command line's has no language server protocol. */
function useServerBundle(esbuild) {
  esbuild.onResolve({ filter: /\/lsp\/main\.ts$/ }, () => ({ path: '../lsp.mjs', external: true }))
}

/** Of undici, the command line uses only the pool. HTTP/2, which takes 15 ms to load, waits for a server that speaks it. */
function bundlePoolOnly(esbuild) {
  esbuild.onResolve({ filter: /^undici$/ }, () => ({ path: join(root, 'scripts/undici-pool.mjs') }))
  esbuild.onResolve({ filter: /^\.\/client-h2\.js$/ }, ({ path, resolveDir, namespace }) =>
    namespace === 'lazy' ? undefined : { path, namespace: 'lazy', pluginData: resolveDir },
  )
  esbuild.onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path, pluginData }) => ({
    contents: `module.exports = (...parameters) => require('${path}')(...parameters)`,
    resolveDir: pluginData,
  }))
}

/** Bundles the entry points. Returns the workers that they name and the files that the bundle is made of. */
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
    external: Object.keys(dependencies).filter((name) => !BUNDLED.includes(name)),
    plugins: [
      { name: 'workers', setup: (esbuild) => esbuild.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, load) },
      { name: 'trim-langium', setup: trimLangium },
      { name: 'server', setup: useServerBundle },
      { name: 'undici', setup: bundlePoolOnly },
      { name: 'builtins', setup: loadBuiltinsLazily },
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
