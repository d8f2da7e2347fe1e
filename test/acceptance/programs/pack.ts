import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { PackedPackage } from './registry.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/** Packs Portico as npm publishes it, into this directory. `env` has the `PATH` with npm. */
export function packPortico(directory: string, env: NodeJS.ProcessEnv): PackedPackage {
  const files = path.join(directory, 'packed')
  // A copy, for the bundle of this clone may be in use.
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { files: string[] }
  for (const entry of [...manifest.files, 'package.json'])
    if (entry !== 'dist' && existsSync(path.join(ROOT, entry)))
      cpSync(path.join(ROOT, entry), path.join(files, entry), { recursive: true })
  execFileSync(process.execPath, [path.join(ROOT, 'scripts/build.mjs'), path.join(files, 'dist')])
  return pack(files, directory, env)
}

/** Packs create-portico in the same way. */
export function packCreatePortico(directory: string, env: NodeJS.ProcessEnv): PackedPackage {
  return pack(path.join(ROOT, 'create-portico'), directory, env)
}

function pack(source: string, directory: string, env: NodeJS.ProcessEnv): PackedPackage {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory]
  const [{ filename } = { filename: '' }] = JSON.parse(
    execFileSync('npm', args, { cwd: source, env, encoding: 'utf8' }),
  ) as { filename: string }[]
  const manifest = JSON.parse(
    readFileSync(path.join(source, 'package.json'), 'utf8'),
  ) as PackedPackage['manifest']
  return { tarball: path.join(directory, filename), manifest }
}
