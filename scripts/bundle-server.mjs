// Bundles the language server into one file that needs nothing else, for editors that start it by itself.
import { builtinModules } from 'node:module'
import { build } from 'esbuild'

const BUILTIN = new RegExp(
  `^(?:node:.*|${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`,
)

/** Writes `<directory>/lsp.mjs`, and gives the files that went into it. */
export async function bundleServer(root, directory) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { lsp: 'src/lsp/main.ts' },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    plugins: [{ name: 'builtins', setup: takeBuiltins }],
    metafile: true,
    logLevel: 'warning',
  })
  return Object.keys(metafile.inputs)
}

/**
 * Node's own modules are loaded when something in them is first used. An import statement would load them at
 * once, and have Node read every property of each, which loads what they themselves load on demand.
 */
export function takeBuiltins(esbuild) {
  esbuild.onResolve({ filter: BUILTIN }, ({ path }) => ({ path, namespace: 'builtin' }))
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
