import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { compile, emit } from '../compile.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { GeneratedFile } from '../emit/contract.ts'
import { schemaSnapshot } from '../emit/database/snapshot.ts'
import type { Platform } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import { kindOf } from '../output/output-kind.ts'
import { schemaJson } from '../output/schema.ts'
import { readManifest, updateProject } from '../output/update-project.ts'
import { PlatformProblem } from './problem.ts'

/** A definition that was read and checked. */
export interface CheckedDefinition {
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
  /** `undefined` where the definition has errors. */
  readonly generation: Generation | undefined
}

/** A platform and every file of its project. */
export interface Generation {
  readonly platform: Platform
  readonly files: readonly GeneratedFile[]
}

/**
 * Reads a definition, checks it and works out the project. Throws PlatformProblem where it cannot be run, and
 * what `accept` throws, which sees the platform before its project is worked out.
 */
export async function readDefinition(
  file: string,
  overrides: Overrides,
  accept: (platform: Platform) => void,
): Promise<CheckedDefinition> {
  const text = await readFile(file, 'utf8')
  const { diagnostics, platform } = compile(text, overrides)
  if (platform === undefined) return { text, diagnostics, generation: undefined }
  accept(platform)
  if ([...platform.services, ...(platform.authentication ? [platform.authentication] : [])].some(isGo))
    throw new PlatformProblem(
      'Services in Go are not available yet.',
      'Run them as TypeScript with `--language typescript`, or change `#language` in the definition.',
      'answer',
    )
  return { text, diagnostics, generation: { platform, files: emit(platform) } }
}

/** The directory that a project goes to when none is asked for. */
export function defaultOutput(platform: Platform, workingDirectory: string): string {
  return path.join(workingDirectory, platform.names.kebab)
}

/** Writes the project. Throws PlatformProblem, and then nothing was written. */
export async function writeProject(output: string, { platform, files }: Generation): Promise<void> {
  const manifest = readManifest(output)
  if (!manifest.ok) throw new PlatformProblem(manifest.problem.message, manifest.problem.advice)
  const kind = kindOf(manifest.value) ?? 'project'
  if (kind !== 'project')
    throw new PlatformProblem(
      `${output} holds a generated ${kind}, not a project. Nothing was changed.`,
      'Give the project a directory of its own with --output.',
    )
  const schema = schemaJson(schemaSnapshot(platform))
  const outcome = await updateProject(output, { files, answers: manifest.value.answers, schema })
  if (!outcome.ok) throw new PlatformProblem(outcome.problem.message, outcome.problem.advice)
}

function isGo({ language }: { readonly language: string }): boolean {
  return language === 'go'
}
