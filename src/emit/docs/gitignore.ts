import type { GeneratedFile } from '../contract.ts'

/** `.gitignore` of the project: the user's from then on. What Portico keeps in `.portico/` ignores itself. */
export function emitGitignore(): GeneratedFile[] {
  return [{ path: '.gitignore', content: 'node_modules/\n', owner: 'user', optional: true }]
}
