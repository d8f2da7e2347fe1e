import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WORK } from '../processes.ts'

/** A file of a package to compare with, which is installed into bench/.work when it is first needed. */
export function installedServer(name: string, version: string, file: string): string {
  const directory = join(WORK, name)
  const server = join(directory, 'node_modules', name, file)
  if (!existsSync(server)) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'package.json'), '{ "private": true }\n')
    const packages = ['install', '--no-audit', '--no-fund', '--silent', `${name}@${version}`]
    execFileSync('npm', packages, { cwd: directory, stdio: 'inherit' })
  }
  return server
}
