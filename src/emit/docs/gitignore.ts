import type { GeneratedFile } from '../contract.ts'

/**
 * `.gitignore` of the project, which belongs to the user from then on. deploy.sh stores secrets in `.secrets/` and its
 * state in `.deploy/`, and Compose reads `.env`. `.portico/` has its own `.gitignore`.
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
