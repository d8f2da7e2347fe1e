// `npm run package`: packages the VS Code extension, with the language server and the command line, as
// dist/portico.vsix. `node scripts/package-extension.mjs <file>` writes another file.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { licensesOf } from './licenses.mjs'

/** All dependencies are bundled. The README has no links to a repository. */
const VSCE = ['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links']
const MAX_BYTES = 3.5 * 1024 * 1024
/** The fields of the package's manifest that an installation reads. Its scripts would build from the source. */
const MANIFEST_FIELDS = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'engines',
  'bin',
  'dependencies',
]

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'vscode-extension')
const target = resolve(process.argv[2] ?? join(root, 'dist', 'portico.vsix'))
const stage = await mkdtemp(join(tmpdir(), 'portico-extension-'))

try {
  const files = ['package.json', 'README.md', 'language-configuration.json', 'images', 'walkthrough']
  for (const file of files) await cp(join(source, file), join(stage, file), { recursive: true })
  await cp(join(root, 'LICENSE'), join(stage, 'LICENSE'))
  await cp(join(root, 'syntaxes'), join(stage, 'syntaxes'), { recursive: true })
  await cp(join(source, 'webview', 'diagram.css'), join(stage, 'dist', 'webview', 'diagram.css'))

  // vsce requires a list of files to leave out. The staging directory contains only files to include.
  await writeFile(join(stage, '.vscodeignore'), '')
  const inputs = await bundle()
  await writeFile(join(stage, 'dist', 'THIRD-PARTY-LICENSES.txt'), await licensesOf(root, inputs))
  await addPackage()

  await mkdir(dirname(target), { recursive: true })
  await run(join(root, 'node_modules', '@vscode', 'vsce', 'vsce'), ...VSCE, '--out', target)
  const { size } = await stat(target)
  console.log(`${target}: ${Math.ceil(size / 1024)} KB`)
  if (size > MAX_BYTES) throw new Error(`The extension is larger than ${MAX_BYTES} bytes`)
} finally {
  await rm(stage, { recursive: true, force: true })
}

/** Bundles the client and the diagram page. Returns the files that they are made of. */
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
      plugins: [{ name: 'dynamic-imports', setup: keepDynamicImports }],
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
 * Adds the package `portico` as it would be published. It validates and generates from there. To run platforms, the
 * extension has npm install it with its dependencies.
 */
async function addPackage() {
  const directory = join(stage, 'portico')
  await run(join(root, 'scripts', 'build.mjs'), join(directory, 'dist'))
  for (const file of ['bin', 'templates', 'LICENSE'])
    await cp(join(root, file), join(directory, file), { recursive: true })
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const fields = Object.fromEntries(MANIFEST_FIELDS.map((name) => [name, manifest[name]]))
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(fields, undefined, 2)}\n`)
}

/** Runs a script in the staging directory. */
async function run(script, ...args) {
  await promisify(execFile)(process.execPath, [script, ...args], { cwd: stage })
}

/** Keeps `import('./x.ts')` as the import of another bundle, which activation does not load. */
function keepDynamicImports(esbuild) {
  esbuild.onResolve({ filter: /^\.\/.*\.ts$/ }, ({ kind, path }) =>
    kind === 'dynamic-import' ? { path: path.replace(/ts$/, 'cjs'), external: true } : undefined,
  )
}
