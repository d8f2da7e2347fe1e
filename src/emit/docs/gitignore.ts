import type { GeneratedFile } from '../contract.ts'

/**
 * `.gitignore` of the project: the user's from then on. deploy.sh keeps secrets in `.secrets/` and its state in
 * `.deploy/`, Compose reads `.env`; what Portico keeps in `.portico/` ignores itself.
 */
export function emitGitignore(): GeneratedFile[] {
  return [
    {
      path: '.gitignore',
      content: 'node_modules/\n.secrets/\n.deploy/\n.env\n',
      owner: 'user',
      optional: true,
    },
  ]
}
