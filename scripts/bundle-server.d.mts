import type { PluginBuild } from 'esbuild'

/** Writes `<directory>/lsp.mjs`, and gives the files that went into it. */
export function bundleServer(root: string, directory: string): Promise<string[]>

/** Loads Node's own modules when something in them is first used. */
export function takeBuiltins(esbuild: PluginBuild): void
