import { existsSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { checkText } from '../language/parse.ts'
import { kebabCase } from '../naming.ts'
import { createDirectories } from '../output/disk.ts'
import { projectNameFor, type StarterAnswers, type StarterContent, starterDefinition } from '../starter.ts'
import type { RunCommand } from './command.ts'
import { environmentError, usageError } from './command-error.ts'
import type { Context } from './context.ts'
import { DEFINITION_FILE } from '../language/imports.ts'
import { EXIT } from './exit-status.ts'
import { loadPrompts } from './prompts.ts'
import { stripEscapes, shellQuote } from './terminal-text.ts'

/**
 * `portico new`: writes a starter definition and nothing else, because `portico dev` generates the project into the
 * same directory. Never overwrites a file.
 */
export const run: RunCommand = async ({ operands: [operand = '.'] }, context) => {
  if (/\p{Cc}/u.test(operand)) throw usageError('The name of a directory cannot contain control characters')
  const directory = resolve(context.cwd, operand)
  if (DEFINITION_FILE.test(operand) && !existsSync(directory))
    throw usageError(
      `\`${operand}\` is the name of a definition file. Pass a directory`,
      `for example \`portico new ${shellQuote(operand.replace(DEFINITION_FILE, '') || 'shop')}\``,
    )
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false)
    throw environmentError(`\`${operand}\` is not a directory`, 'choose another directory')
  const answers = context.interactive ? await ask(directory, context) : defaults(directory)
  const file = join(operand, `${kebabCase(answers.name)}.portico`)
  const path = resolve(context.cwd, file)
  if (existsSync(path)) throw environmentError(`\`${file}\` already exists`, 'choose another directory')
  createDirectories(directory)
  writeFileSync(path, starterDefinition(answers), { flag: 'wx' })
  context.print(stripEscapes(file))
  // On a terminal, the question for the name has shown it.
  if (!context.interactive && LOST_LETTER.test(basename(directory).normalize('NFD')))
    context.say(`The project is called ${answers.name}: a name consists of the letters A to Z and digits`)
  context.say(`Next: portico dev ${shellQuote(file)}`)
  return EXIT.success
}

/** A letter that `projectNameFor` leaves out. */
const LOST_LETTER = /(?!\p{ASCII})\p{L}/u

function defaults(directory: string): StarterAnswers {
  const name = projectNameFor(basename(directory))
  const answers: StarterAnswers = { name, authentication: true, content: 'example' }
  return errorIn(answers) === undefined ? answers : { ...answers, name: `${name}Platform` }
}

async function ask(directory: string, context: Context): Promise<StarterAnswers> {
  const initial = defaults(directory)
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
  const name = await prompts.text({
    message: 'Project name:',
    default: initial.name,
    check: (text) => nameError(text) ?? errorIn({ name: text, authentication, content }) ?? true,
  })
  return { name, authentication, content }
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
