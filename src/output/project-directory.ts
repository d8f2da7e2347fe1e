import path from 'node:path'
import { readManifest } from './update-project.ts'

/**
 * Returns where a project is written by default, absolute: to the project of this name that the working directory is in,
 * or to a directory of its name. Otherwise, a command run in the project would write a second one into it.
 */
export function defaultProjectDirectory(name: string, workingDirectory: string): string {
  for (let directory = path.resolve(workingDirectory); ; directory = path.dirname(directory)) {
    if (isProject(name, directory)) return directory
    if (directory === path.dirname(directory)) return path.resolve(workingDirectory, name)
  }
}

function isProject(name: string, directory: string): boolean {
  const manifest = readManifest(directory)
  return manifest.ok && manifest.value.answers['project'] === name
}
