import { setFlagsFromString } from 'node:v8'
import path from 'node:path'
import { compile } from '../compile.ts'
import { moveCommands } from '../emit/docs/database-commands.ts'
import { emitProject } from '../emit/project.ts'
import { usedTargets } from '../emit/targets.ts'
import { apiChanges } from '../emit/api-changes/api-changes.ts'
import type { ProjectMigrations } from '../emit/migrations/project-plan.ts'
import { REQUIRE_LATER } from '../emit/migrations/change.ts'
import { directoriesByDatabase } from '../model/deployed-services.ts'
import type { Platform } from '../model/platform.ts'
import { readModule } from '../output/go-mod.ts'
import { readMigrationFolders } from '../output/migration-folders.ts'
import { defaultProjectDirectory } from '../output/project-directory.ts'
import { readManifest, type Update } from '../output/update-project.ts'
import { changeLines } from './api-change-report.ts'
import { targetOverrides } from './generation-targets.ts'
import { moduleOf } from './go-module.ts'
import type { Invocation, RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { readDefinition, reportCompilation } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { shellQuote } from './terminal-text.ts'
import { resolveMigrationQuestions } from './migration-questions.ts'
import { isPreview, outputRoot, writeOutput } from './write-output.ts'

/** `portico generate`: checks a definition and writes the project. */
export const run: RunCommand = async (invocation, context) => {
  const overrides = targetOverrides(invocation)
  let { module } = overrides
  let definition = await readDefinition(invocation.operands[0] ?? '', context)
  for (;;) {
    const compilation = compile(definition.text, overrides, definition.folder)
    const compiled = reportCompilation(definition.name, compilation, context)
    if (compiled === undefined) return EXIT.failed
    const defaultDirectory = defaultProjectDirectory(compiled.names.kebab, context.cwd)
    const root = outputRoot(defaultDirectory, invocation, context)
    const preview = isPreview(invocation)
    const formerModule = readModule(root)
    module ??= formerModule
    if (module === undefined && !preview && usedTargets(compiled).some(({ target }) => target.isModule))
      module = await moduleOf(compiled.names.kebab, context)
    const platform = { ...compiled, module: module ?? compiled.module }
    const folders = readMigrationFolders(root)
    const previous = invocation.flag('check') ? undefined : previousPlatform(root)
    const request = {
      definition,
      platform,
      previous,
      folders,
      asks: context.interactive && !preview,
      isPreview: preview,
    }
    const migrations = await resolveMigrationQuestions(request, invocation, context)
    if ('folder' in migrations) {
      definition = migrations
      continue
    }
    // What is emitted lives until it is written, so a larger young generation would only take memory.
    setFlagsFromString('--semi-space-growth-factor=1')
    if (previous !== undefined) reportBreakingChanges(previous, platform, context)
    // The same on every machine, whatever its line endings.
    const text = compilation.result.standaloneText.replaceAll('\r\n', '\n')
    return writeOutput(
      {
        kind: 'project',
        defaultDirectory,
        generation: {
          files: emitProject(platform, migrations.files),
          answers: { project: platform.names.kebab },
          definition: text,
          directories: directoriesByDatabase(platform),
        },
        nextSteps: (update, directory, base) => [
          ...migrationSteps(migrations, base),
          ...moveSteps(previous, platform, base),
          ...moduleSteps(formerModule, platform),
          ...nextSteps(update, directory, invocation),
        ],
      },
      invocation,
      context,
    )
  }
}

/** How to move the data of a deployment if its databases are elsewhere from now on. */
function moveSteps(previous: Platform | undefined, platform: Platform, base: string): string[] {
  if (previous === undefined || previous.provider !== platform.provider) return []
  if (previous.databaseServer === platform.databaseServer) return []
  const place =
    platform.databaseServer === 'shared' ? 'one Postgres for all services' : 'a Postgres for each service'
  return [
    `Next: if the platform is deployed, move its data to ${place}. \`deploy.sh\` refuses to start until then. Services are down meanwhile, and the former volumes stay. In ${base === '' ? 'this directory' : base}:`,
    ...moveCommands(previous, platform).map((command) => `  ${command}`),
  ]
}

/** What to do if `--module` has changed the path of the module, which files of the user import. */
function moduleSteps(former: string | undefined, { module }: Platform): string[] {
  if (former === undefined || former === module) return []
  return [`Next: replace \`${former}/\` with \`${module}/\` in the imports of your Go files`]
}

/** The platform of the last generation. */
function previousPlatform(root: string): Platform | undefined {
  const manifest = readManifest(root)
  const text = manifest.ok ? manifest.value.definition : undefined
  return text === undefined ? undefined : compile(text).platform
}

/** Prints what the change breaks for clients of the last generation. */
function reportBreakingChanges(previous: Platform, platform: Platform, context: Context): void {
  const breaking = apiChanges(previous, platform).filter((change) => change.breaking)
  for (const line of changeLines(breaking, context.colors)) context.report(line)
}

/** What new migrations lock and what to do with them, and which `@was` and `#was` of the definition can be removed. */
function migrationSteps({ added, locks, expressions, renamed }: ProjectMigrations, base: string): string[] {
  const [first] = added
  return [
    ...locks.map(([file, note]) => `${path.join(base, file)}: ${note}`),
    ...expressions.map(({ attribute, converts, path: file }) =>
      converts
        ? `Next: check the conversion of ${attribute} in ${path.join(base, file)}`
        : `Next: write the values of ${attribute} in ${path.join(base, file)}. Or undo the change, and ${REQUIRE_LATER}`,
    ),
    ...(first === undefined || first.endsWith('/0001_initial.sql')
      ? []
      : [`Next: review the new migrations, starting with ${path.join(base, first)}`]),
    ...renamed.map((former) => `You can remove ${former}: the migrations contain the new name`),
  ]
}

function nextSteps(update: Update, directory: string, invocation: Invocation): string[] {
  if (update.upToDate) return []
  const output = invocation.text('output')
  const option = output === undefined ? '' : ` -o ${shellQuote(output)}`
  const setup = update.plan.actions.find(
    (action) => action.kind === 'create' && /\/setup\.\w+$/.test(action.file.path),
  )
  const isFirst = update.previous.files.size === 0
  return [
    ...(isFirst && setup?.kind === 'create'
      ? [`Next: write your own code in ${setup.file.path} and similar files in ${directory}`]
      : []),
    `Next: run \`portico dev ${shellQuote(invocation.operands[0] ?? '')}${option}\` to start the platform`,
  ]
}
