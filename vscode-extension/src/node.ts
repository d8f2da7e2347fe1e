import type { Program } from './command-line.ts'

/** Portico needs this major version of Node.js or a later one. */
const NEEDED = 24

/** A Node.js and its version: `24.1.0`. */
export interface Node {
  readonly program: Program
  readonly version: string
}

/**
 * The Node.js to start scripts with: the user's where it is new enough, else the editor's. An old one of the
 * user's is the last resort: the command line then says what it needs.
 *
 * @param users `undefined` where there is none on the `PATH`
 */
export function chooseNode(users: Node | undefined, editors: Node): Program {
  if (users === undefined || (majorOf(users) < NEEDED && majorOf(editors) >= NEEDED)) return editors.program
  return users.program
}

function majorOf({ version }: Node): number {
  return Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0)
}
