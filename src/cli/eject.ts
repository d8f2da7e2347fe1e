import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { SCHEMA_FILE } from '../migration/folder.ts'
import { ejectFiles, type Ejection, restoreFiles } from '../output/eject.ts'
import type { Manifest, ManifestFile } from '../output/manifest.ts'
import { statePaths } from '../output/state-paths.ts'
import { readManifest } from '../output/update-project.ts'
import type { RunCommand } from './command.ts'
import { type CommandError, outputError, unknownError, usageError } from './command-error.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-status.ts'

/** `portico eject`: makes generated files the user's, or gives them back. */
export const run: RunCommand = async (invocation, context) => {
  const undo = invocation.flag('undo')
  const operands = invocation.operands.map((operand) => ({ operand, root: projectOf(operand, context) }))
  const projects = [...Map.groupBy(operands, ({ root }) => root)].map(([root, group]) => {
    const manifest = readManifest(root)
    if (!manifest.ok) throw outputError(manifest.error)
    const paths = group.flatMap(({ operand }) => selectFiles(operand, root, manifest.value, undo, context))
    return { root, paths: [...new Set(paths)] }
  })
  for (const { root, paths } of projects) {
    const result = undo ? await restoreFiles(root, paths) : await ejectFiles(root, paths)
    if (!result.ok) throw outputError(result.error)
    report(result.value, root, undo, context)
  }
  if (undo) context.say('Next: run `portico generate`, which writes these files again')
  return EXIT.success
}

function report(ejections: readonly Ejection[], root: string, undo: boolean, context: Context): void {
  const shown = (path: string): string => relative(context.cwd, join(root, path))
  for (const { path, backup } of ejections) {
    const kept = backup === undefined ? '' : `. Your version was kept: ${shown(backup)}`
    context.say(`${undo ? 'Given back' : 'Ejected'}: ${shown(path)}${kept}`)
  }
}

/** Returns the directory of the project that a path is in. */
function projectOf(operand: string, { cwd }: Context): string {
  for (let directory = resolve(cwd, operand); ; directory = dirname(directory)) {
    if (existsSync(statePaths(directory).manifest)) return directory
    if (directory === dirname(directory))
      throw usageError(`\`${operand}\` is not in a generated project`, 'pass the path of a generated file')
  }
}

/** Returns the files of a manifest that an operand names: a file, or all generated files in a directory. */
function selectFiles(
  operand: string,
  root: string,
  { files }: Manifest,
  undo: boolean,
  { cwd }: Context,
): string[] {
  const path = relative(root, resolve(cwd, operand)).replaceAll(sep, '/')
  const record = files.get(path)
  if (record !== undefined) {
    const reason = problemWith(operand, path, record, undo)
    if (reason !== undefined) throw reason
    return [path]
  }
  const inside = [...files].filter(([file]) => path === '' || file.startsWith(`${path}/`))
  const selected = inside.filter(([file, each]) => problemWith(operand, file, each, undo) === undefined)
  if (selected.length > 0) return selected.map(([file]) => file)
  if (inside.length > 0)
    throw usageError(
      undo ? `No file in \`${operand}\` is ejected` : `\`${operand}\` contains only files that are yours`,
    )
  if (existsSync(join(root, path))) throw alreadyYours(operand)
  throw unknownError('generated file', path, files.keys())
}

/** Returns why a file cannot be ejected, or given back. */
function problemWith(
  operand: string,
  path: string,
  { owner, ejected }: ManifestFile,
  undo: boolean,
): CommandError | undefined {
  if (undo) return ejected === undefined ? usageError(`\`${operand}\` is not ejected`) : undefined
  if (owner === 'user') return alreadyYours(operand)
  if (path.endsWith(`/migrations/${SCHEMA_FILE}`))
    return usageError(
      `\`${operand}\` cannot be ejected: it records the schema that the migrations create`,
      'write your own SQL in a migration: `portico migration new <service> <name>`',
    )
  return undefined
}

function alreadyYours(operand: string): CommandError {
  return usageError(`\`${operand}\` is already yours: \`portico generate\` does not write it`)
}
