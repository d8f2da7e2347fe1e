// Bundles the page of the explorer: a page that loads at once, and the reference viewer, which it loads in a frame.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { licencesOf } from './licences.mjs'

const PAGES = ['index.html', 'reference.html', 'icon.svg']

/** What Vue leaves to bundlers (https://vuejs.org/api/compile-time-flags.html), and Node's own variable. */
const DEFINITIONS = {
  'process.env.NODE_ENV': '"production"',
  __VUE_OPTIONS_API__: 'true',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
}

/** Writes the page into a directory; gives the files, relative to `root`, that went into it. */
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
    plugins: [{ name: 'left-out', setup: leaveOut }],
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  })
  for (const page of PAGES) await cp(join(root, 'explorer', page), join(directory, page))
  const inputs = Object.keys(metafile.inputs)
  // The page is passed on without the rest of the package as well.
  await writeFile(join(directory, 'THIRD-PARTY-LICENSES.txt'), await licencesOf(root, inputs))
  return inputs
}

/** The viewer's assistant talks to its maker's servers, which neither the policy of the page nor we allow. */
function leaveOut(esbuild) {
  esbuild.onResolve({ filter: /^@scalar\/agent-chat/ }, ({ path }) => ({ path, namespace: 'left-out' }))
  esbuild.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
    contents: 'module.exports = {}',
    loader: 'js',
  }))
}
