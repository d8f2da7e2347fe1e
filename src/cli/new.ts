import { existsSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { targetOf } from '../emit/targets.ts'
import { DEFAULT_LANGUAGE, type Language, LANGUAGE_CHOICES } from '../language/builtins.ts'
import { DEFINITION_FILE } from '../language/imports.ts'
import { checkText } from '../language/parse.ts'
import { kebabCase } from '../naming.ts'
import { createDirectories } from '../output/disk.ts'
import { readModule } from '../output/go-mod.ts'
import { defaultProjectDirectory } from '../output/project-directory.ts'
import { projectNameFor, type StarterAnswers, type StarterContent, starterDefinition } from '../starter.ts'
import type { RunCommand } from './command.ts'
import { environmentError, usageError } from './command-error.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-status.ts'
import { targetOverrides } from './generation-targets.ts'
import { moduleOf } from './go-module.ts'
import { loadPrompts } from './prompts.ts'
import { stripEscapes, shellQuote } from './terminal-text.ts'

/**
 * `portico new`: writes a starter definition and, for services in Go, a `go.mod` with the path of the module, because
 * `portico dev` generates the rest. Never overwrites a file.
 */
export const run: RunCommand = async (invocation, context) => {
  const [operand = '.'] = invocation.operands
  const { language, module } = targetOverrides(invocation)
  if (module !== undefined && (language === undefined || !targetOf({ language }).isModule))
    throw usageError('`--module` requires `--language go`')
  if (/\p{Cc}/u.test(operand)) throw usageError('The name of a directory cannot contain control characters')
  const directory = resolve(context.cwd, operand)
  if (DEFINITION_FILE.test(operand) && !existsSync(directory))
    throw usageError(
      `\`${operand}\` is the name of a definition file. Pass a directory`,
      `for example \`portico new ${shellQuote(operand.replace(DEFINITION_FILE, '') || 'shop')}\``,
    )
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false)
    throw environmentError(`\`${operand}\` is not a directory`, 'choose another directory')
  const answers = context.interactive
    ? await ask(directory, language, context)
    : defaults(directory, language ?? DEFAULT_LANGUAGE)
  const file = join(operand, `${kebabCase(answers.name)}.portico`)
  const path = resolve(context.cwd, file)
  if (existsSync(path)) throw environmentError(`\`${file}\` already exists`, 'choose another directory')
  const project = defaultProjectDirectory(kebabCase(answers.name), context.cwd)
  const chosen =
    targetOf(answers).isModule && readModule(project) === undefined
      ? (module ?? (await moduleOf(kebabCase(answers.name), context)))
      : undefined
  createDirectories(directory)
  writeFileSync(path, starterDefinition(answers), { flag: 'wx' })
  context.print(stripEscapes(file))
  if (chosen !== undefined) context.print(stripEscapes(writeModule(project, chosen, context)))
  // On a terminal, the question for the name has shown it.
  if (!context.interactive && LOST_LETTER.test(basename(directory).normalize('NFD')))
    context.say(`The project is called ${answers.name}: a name consists of the letters A to Z and digits`)
  context.say(`Next: portico dev ${shellQuote(file)}`)
  return EXIT.success
}

/** A letter that `projectNameFor` leaves out. */
const LOST_LETTER = /(?!\p{ASCII})\p{L}/u

/** Writes the `go.mod` of a project that will be generated, and returns its path from the working directory. */
function writeModule(project: string, module: string, { cwd }: Context): string {
  const file = join(project, 'go.mod')
  createDirectories(project)
  writeFileSync(file, `module ${module}\n`, { flag: 'wx' })
  return relative(cwd, file)
}

function defaults(directory: string, language: Language): StarterAnswers {
  const name = projectNameFor(basename(directory))
  const answers: StarterAnswers = { name, language, authentication: true, content: 'example' }
  return errorIn(answers) === undefined ? answers : { ...answers, name: `${name}Platform` }
}

async function ask(
  directory: string,
  chosen: Language | undefined,
  context: Context,
): Promise<StarterAnswers> {
  const initial = defaults(directory, chosen ?? DEFAULT_LANGUAGE)
  const prompts = await loadPrompts(context)
  const content = await prompts.choose<StarterContent>({
    message: 'What should the definition start with?',
    default: initial.content,
    choices: [
      { value: 'example', name: 'An example', description: 'Services, a reference and a struct.' },
      { value: 'minimal', name: 'One small service' },
    ],
  })
  const authentication = await prompts.confirm({
    message: 'Do users log in?',
    default: initial.authentication,
  })
  const language =
    chosen ??
    (await prompts.choose<Language>({
      message: 'In which language do you write your own code?',
      default: initial.language,
      choices: LANGUAGE_CHOICES,
    }))
  const name = await prompts.text({
    message: 'Project name:',
    default: initial.name,
    check: (text) => nameError(text) ?? errorIn({ name: text, language, authentication, content }) ?? true,
  })
  return { name, language, authentication, content }
}

/** Returns why a project name is invalid, with a name to use instead; `undefined` if only the checks can tell. */
export function nameError(name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name, such as `SupportDesk`'
  if (/[^A-Za-z0-9]/.test(name)) return `Use letters and digits only: \`${projectNameFor(name)}\``
  return undefined
}

/** Returns the first error in the definition that these answers give. */
function errorIn(answers: StarterAnswers): string | undefined {
  return checkText(starterDefinition(answers)).diagnostics.find(({ severity }) => severity === 'error')
    ?.message
}
