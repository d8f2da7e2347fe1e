import type { Manifest } from './manifest.ts'

/** What a directory was generated for. All but a project say so in the answers of their manifest. */
export type OutputKind = 'project' | 'client' | 'explorer'

/** What a manifest's directory holds; `undefined` where nothing was generated into it. */
export function kindOf({ files, answers }: Manifest): OutputKind | undefined {
  if (files.size === 0) return undefined
  return (['client', 'explorer'] as const).find((kind) => answers[kind] !== undefined) ?? 'project'
}
