// `npm run package`: bundles the VS Code extension, with its language server and the command line, into
// dist/portico.vsix. `node scripts/package-extension.mjs <file>` writes it elsewhere.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { licencesOf } from './licences.mjs'

/** Everything is bundled; there is no repository that links in the README could lead to. */
const VSCE = ['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links']
/** What a marketplace page and an installation on a train can bear. */
const MOST_BYTES = 2 * 1024 * 1024
/** Of what the build makes. The rest runs platforms. */
const NEEDED = new Set(['cli', 'chunks', 'lsp.mjs', 'THIRD-PARTY-LICENSES.txt'])

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'vscode-extension')
const target = resolve(process.argv[2] ?? join(root, 'dist', 'portico.vsix'))
const stage = await mkdtemp(join(tmpdir(), 'portico-extension-'))

try {
  const files = [
    'package.json',
    'README.md',
    'language-configuration.json',
    'images',
    'snippets',
    'walkthrough',
  ]
  for (const file of files) await cp(join(source, file), join(stage, file), { recursive: true })
  await cp(join(root, 'LICENSE'), join(stage, 'LICENSE'))
  await cp(join(root, 'syntaxes'), join(stage, 'syntaxes'), { recursive: true })
  await cp(join(source, 'webview', 'diagram.css'), join(stage, 'dist', 'webview', 'diagram.css'))

  // vsce asks for a list of what to leave out: the stage holds nothing else.
  await writeFile(join(stage, '.vscodeignore'), '')
  const inputs = await bundle()
  await writeFile(join(stage, 'dist', 'THIRD-PARTY-LICENSES.txt'), await licencesOf(root, inputs))
  await commandLine()

  await mkdir(dirname(target), { recursive: true })
  await run(join(root, 'node_modules', '@vscode', 'vsce', 'vsce'), ...VSCE, '--out', target)
  const { size } = await stat(target)
  console.log(`${target}: ${Math.ceil(size / 1024)} KB`)
  if (size > MOST_BYTES) throw new Error(`The package is larger than ${MOST_BYTES} bytes.`)
} finally {
  await rm(stage, { recursive: true, force: true })
}

/** The client and the diagram's page; gives the files that went into them. */
async function bundle() {
  const shared = {
    absWorkingDir: root,
    bundle: true,
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  }
  const client = (name) =>
    build({
      ...shared,
      entryPoints: [`vscode-extension/src/${name}.ts`],
      outfile: join(stage, 'dist', `${name}.cjs`),
      platform: 'node',
      target: 'node22',
      format: 'cjs',
      external: ['vscode'],
      plugins: [{ name: 'later', setup: loadLater }],
    })
  const built = await Promise.all([
    client('extension'),
    client('language-client'),
    build({
      ...shared,
      entryPoints: ['vscode-extension/webview/main.ts'],
      outfile: join(stage, 'dist', 'webview', 'main.js'),
      platform: 'browser',
      target: 'chrome138',
      format: 'iife',
    }),
  ])
  return built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
}

/**
 * The language server, and the command line for what needs neither a database nor a compiler: checking,
 * formatting, generating. Running platforms needs the package from npm.
 */
async function commandLine() {
  const own = join(stage, 'portico')
  await run(join(root, 'scripts', 'build.mjs'), join(own, 'dist'))
  for (const entry of await readdir(join(own, 'dist')))
    if (!NEEDED.has(entry)) await rm(join(own, 'dist', entry), { recursive: true })
  for (const file of ['bin', 'templates', 'package.json'])
    await cp(join(root, file), join(own, file), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    })
}

/** Runs a script in the staging directory; what it prints is shown where it fails. */
async function run(script, ...args) {
  await promisify(execFile)(process.execPath, [script, ...args], { cwd: stage })
}

/** `import('./x.ts')` in the client loads a bundle of its own, so that activation does not wait for it. */
function loadLater(esbuild) {
  esbuild.onResolve({ filter: /^\.\/.*\.ts$/ }, ({ kind, path }) =>
    kind === 'dynamic-import' ? { path: path.replace(/ts$/, 'cjs'), external: true } : undefined,
  )
}
