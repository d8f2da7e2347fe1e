// Bundles the dependencies of generated services for `portico dev`. Otherwise, each of its threads would read hundreds
// of files of the same packages. A deployment installs the packages, in the same versions.
import { builtinModules, createRequire } from 'node:module'
import { build } from 'esbuild'

/** The packages that generated services import, except `tinypool`, which starts its own files as threads. */
const SPECIFIERS = [
  '@hono/node-server',
  '@opentelemetry/api',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  'bcryptjs',
  'croner',
  'drizzle-orm',
  'drizzle-orm/errors',
  'drizzle-orm/node-postgres',
  'drizzle-orm/pg-core',
  'hono',
  'hono/context-storage',
  'hono/http-exception',
  'hono/method-not-allowed',
  'hono/mount',
  'hono/request-id',
  'hono/route',
  'jose',
  'pg',
  'pino',
  'prom-client',
  'undici',
  'uuid',
  'zod',
]

/** Writes `<directory>/<specifier>.mjs` for each of them. They share chunks. */
export async function bundleDependencies(root, directory) {
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...SPECIFIERS.map((specifier) => ({ in: specifier, out: specifier })),
      { in: 'scripts/undici-pool.mjs', out: 'undici-pool' },
    ],
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Users read stack traces and the names of classes. `minifySyntax` would remove some of these, and `keepNames` would
    // slow down the start of a service by a tenth.
    minifyWhitespace: true,
    legalComments: 'none',
    external: builtinModules,
    plugins: [{ name: 'commonjs', setup: exportCommonJsNames }],
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
}

/**
 * Adds named exports to the wrapper of a CommonJS module, which otherwise has a default export only. They have other names
 * inside, because esbuild would rename the classes of the module instead.
 */
function exportCommonJsNames(esbuild) {
  esbuild.onResolve({ filter: /^(?:pg|pino|prom-client|undici)$/ }, ({ kind, path }) =>
    kind === 'require-call' ? undefined : { path, namespace: 'commonjs' },
  )
  esbuild.onLoad({ filter: /.*/, namespace: 'commonjs' }, ({ path }) => {
    const { resolveDir, exports } = commonJs(path)
    const names = Object.keys(exports).filter((name) => name !== 'default')
    const list = (format) => names.map((name) => format(name, `export_${name}`)).join(', ')
    return {
      contents: `
        const all = require(${JSON.stringify(path)})
        export default all
        const { ${list((name, inside) => `${name}: ${inside}`)} } = all
        export { ${list((name, inside) => `${inside} as ${name}`)} }
      `,
      resolveDir,
    }
  })
}

function commonJs(path) {
  return { resolveDir: import.meta.dirname, exports: createRequire(import.meta.url)(path) }
}
