// Bundles the explorer: its page, and the reference viewer, which the page loads in a frame.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { licensesOf } from './licenses.mjs'

const PAGES = ['index.html', 'reference.html', 'icon.svg']

/** Vue's compile-time flags (https://vuejs.org/api/compile-time-flags.html). */
const DEFINITIONS = {
  'process.env.NODE_ENV': '"production"',
  __VUE_OPTIONS_API__: 'true',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
}

/** Writes the explorer to a directory. Returns the files that it is made of, relative to `root`. */
export async function bundleExplorer(root, directory) {
  await mkdir(directory, { recursive: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: 'explorer/src/main.tsx', reference: 'explorer/src/reference/main.ts' },
    outdir: directory,
    chunkNames: 'part-[hash]',
    assetNames: 'asset-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: DEFINITIONS,
    loader: { '.woff2': 'empty' },
    plugins: [{ name: 'omit', setup: omitAssistant }],
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  })
  for (const page of PAGES) await cp(join(root, 'explorer', page), join(directory, page))
  const inputs = Object.keys(metafile.inputs)
  // `portico explorer` copies the page without the rest of the package.
  await writeFile(join(directory, 'THIRD-PARTY-LICENSES.txt'), await licensesOf(root, inputs))
  return inputs
}

/** Omits the viewer's assistant, which sends data to its vendor. */
function omitAssistant(esbuild) {
  esbuild.onResolve({ filter: /^@scalar\/agent-chat/ }, ({ path }) => ({ path, namespace: 'omitted' }))
  esbuild.onLoad({ filter: /.*/, namespace: 'omitted' }, () => ({
    contents: 'module.exports = {}',
    loader: 'js',
  }))
}
