import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A workspace, which installs packages of its members in its own directory too. */
export interface Workspace {
  /** Absolute. */
  readonly root: string
  readonly manager: 'npm' | 'pnpm' | 'yarn'
}

/** Returns the nearest workspace above a directory, which may be a member; `undefined` if there is none. */
export function workspaceAbove(directory: string): Workspace | undefined {
  for (let root = path.dirname(directory); ; root = path.dirname(root)) {
    if (existsSync(path.join(root, 'pnpm-workspace.yaml'))) return { root, manager: 'pnpm' }
    if (hasMembers(path.join(root, 'package.json')))
      return { root, manager: existsSync(path.join(root, 'yarn.lock')) ? 'yarn' : 'npm' }
    if (root === path.dirname(root)) return undefined
  }
}

function hasMembers(file: string): boolean {
  try {
    return 'workspaces' in (JSON.parse(readFileSync(file, 'utf8')) as object)
  } catch {
    return false
  }
}
