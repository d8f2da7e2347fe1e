import type { PluginBuild } from 'esbuild'

/** Writes `<directory>/lsp.mjs`. Returns the files that it is made of. */
export function bundleServer(root: string, directory: string): Promise<string[]>

/** Loads each of the built-in modules of Node.js when one of its exports is first used. */
export function loadBuiltinsLazily(esbuild: PluginBuild): void
