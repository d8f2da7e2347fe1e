import type { GeneratedFile } from '../contract.ts'

/**
 * What Git reads in a project. The files belong to the user from then on.
 *
 * - `.gitignore`: deploy.sh stores secrets in `.secrets/` and its state in `.deploy/`, and Compose reads `.env`.
 *   `.portico/` has its own `.gitignore`.
 * - `.gitattributes`: shell scripts with CRLF, which Git writes on Windows by default, do not run.
 */
export function emitGitFiles(): GeneratedFile[] {
  return [
    optional('.gitattributes', '* text=auto eol=lf\n'),
    optional('.gitignore', 'node_modules/\n.secrets/\n.deploy/\n.env\n'),
  ]
}

function optional(path: string, content: string): GeneratedFile {
  return { path, content, owner: 'user', optional: true }
}
