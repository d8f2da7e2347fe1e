// An esbuild plugin for the command line, which parses definitions with Langium but serves no editor. It omits
// everything that Langium's core loads only for language servers, and Chevrotain's strategy for unbounded lookahead,
// which a grammar with `maxLookahead` never uses. This halves the code that a command loads.
import { fileURLToPath } from 'node:url'

const protocol = fileURLToPath(new URL('protocol-stub.mjs', import.meta.url))
const PACKAGES_OF_THE_PROTOCOL =
  /^vscode-(languageserver-protocol|languageserver-types|languageserver|jsonrpc)(\/.*)?$/

/** @param {import('esbuild').PluginBuild} esbuild */
export function trimLangium(esbuild) {
  esbuild.onResolve({ filter: PACKAGES_OF_THE_PROTOCOL }, ({ importer }) =>
    /[\\/]node_modules[\\/]langium[\\/]/.test(importer) ? { path: protocol } : undefined,
  )
  esbuild.onResolve({ filter: /^chevrotain-allstar$/ }, () => ({ path: protocol }))
  // Chevrotain's manifest does not declare it, but its modules have no side effects.
  esbuild.onResolve({ filter: /^(\.|chevrotain$|@chevrotain\/)/ }, async ({ path, pluginData, ...from }) => {
    if (pluginData === 'trimmed' || !/[\\/]node_modules[\\/](@?chevrotain|langium)/.test(from.importer))
      return undefined
    const { importer, kind, resolveDir } = from
    const resolved = await esbuild.resolve(path, { importer, kind, resolveDir, pluginData: 'trimmed' })
    return { path: resolved.path, external: resolved.external, sideEffects: false }
  })
}
