// Bundles what generated services depend on for `portico dev`, whose threads would each read hundreds of files
// of the same packages instead. A deployment installs the packages themselves, in the same versions.
import { builtinModules, createRequire } from 'node:module'
import { build } from 'esbuild'

/** What generated services import by name. `tinypool` stays a package: it starts files of its own as threads. */
const SPECIFIERS = [
  '@hono/node-server',
  'bcryptjs',
  'drizzle-orm',
  'drizzle-orm/pg-core',
  'drizzle-orm/postgres-js',
  'hono',
  'hono/http-exception',
  'jose',
  'postgres',
  'undici',
  'uuid',
]

/** Writes `<directory>/<specifier>.mjs` for each; modules that two share are shared in the bundle too. */
export async function bundleDependencies(root, directory) {
  await build({
    absWorkingDir: root,
    entryPoints: SPECIFIERS.map((specifier) => ({ in: specifier, out: specifier })),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Stack traces and the names of drizzle's classes are read by users.
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    legalComments: 'none',
    external: builtinModules,
    plugins: [{ name: 'commonjs', setup: takeCommonJs }],
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
}

/** An ECMAScript module that wraps one of CommonJS has a default export alone; this gives it the names too. */
function takeCommonJs(esbuild) {
  esbuild.onResolve({ filter: /^undici$/ }, ({ kind, path }) =>
    kind === 'entry-point' ? { path, namespace: 'commonjs' } : undefined,
  )
  esbuild.onLoad({ filter: /.*/, namespace: 'commonjs' }, ({ path }) => {
    const { resolveDir, exports } = commonJs(path)
    const names = Object.keys(exports).filter((name) => name !== 'default')
    return {
      contents: `import all from ${JSON.stringify(path)}\nexport default all\nexport const { ${names.join(', ')} } = all\n`,
      resolveDir,
    }
  })
}

function commonJs(path) {
  return { resolveDir: import.meta.dirname, exports: createRequire(import.meta.url)(path) }
}
