import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { usedTargets } from '../targets.ts'

/**
 * What Git reads in a project. The files belong to the user from then on.
 *
 * - `.gitignore`: deploy.sh stores secrets in `.secrets/` and its state in `.deploy/`, and Compose reads `.env`.
 *   `.portico/` has its own `.gitignore`.
 * - `.gitattributes`: shell scripts with CRLF, which Git writes on Windows by default, do not run.
 */
export function emitGitFiles(platform: Platform): GeneratedFile[] {
  const ignored = usedTargets(platform).flatMap(({ target }) => target.ignored)
  return [
    optional('.gitattributes', '* text=auto eol=lf\n'),
    optional('.gitignore', [...ignored, '.secrets/', '.deploy/', '.env', ''].join('\n')),
  ]
}

function optional(path: string, content: string): GeneratedFile {
  return { path, content, owner: 'user', optional: true }
}
