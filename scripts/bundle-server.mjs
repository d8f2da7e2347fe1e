// Bundles the language server as one file, which editors can start without the rest of the package.
import { builtinModules } from 'node:module'
import { build } from 'esbuild'

const BUILTIN = new RegExp(
  `^(?:node:.*|${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`,
)

/** Writes `<directory>/lsp.mjs`. Returns the files that it is made of. */
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
    plugins: [{ name: 'builtins', setup: loadBuiltinsLazily }],
    metafile: true,
    logLevel: 'warning',
  })
  return Object.keys(metafile.inputs)
}

/**
 * An esbuild plugin that loads each of Node's built-in modules when one of its exports is first used. An import
 * statement would load it at once, and read every export, some of which load more modules.
 */
export function loadBuiltinsLazily(esbuild) {
  esbuild.onResolve({ filter: BUILTIN }, ({ path }) => ({ path, namespace: 'builtin' }))
  esbuild.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
    contents: lazyModule(path),
    loader: 'js',
  }))
}

function lazyModule(path) {
  const load = `process.getBuiltinModule(${JSON.stringify(path)})`
  const exports = process.getBuiltinModule(path)
  // Some modules are a class, and `process` is always loaded.
  if (typeof exports === 'function' || exports === process) return `module.exports = ${load}`
  const names = JSON.stringify(Object.keys(exports).filter((name) => name !== 'default'))
  return `for (const name of ${names}) Object.defineProperty(exports, name, { enumerable: true, get: () => ${load}[name] })`
}
