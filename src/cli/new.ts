import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { checkText } from '../language/parse.ts'
import { kebabCase } from '../model/names.ts'
import type { RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-status.ts'
import { EXTENSION } from './definition.ts'
import { surroundingsFailure, usageFailure } from './failure.ts'
import { loadPrompts } from './prompts.ts'
import { shellWord } from './shell-word.ts'
import { projectNameFor, type StarterAnswers, type StarterContent, starterDefinition } from '../starter.ts'

/**
 * `portico new`: writes a first definition, and never over a file. Nothing beside it: the directory is the one
 * that `portico dev <dir>/<definition>` writes the project into, with a README of its own.
 */
export const run: RunCommand = async ({ operands: [operand = '.'] }, context) => {
  if (operand === '') throw usageFailure('The name of the directory is empty.')
  const directory = resolve(context.cwd, operand)
  if (EXTENSION.test(operand) && !existsSync(directory))
    throw usageFailure(
      `${operand} is to be a directory, and looks like a definition.`,
      `Name the directory, as \`portico new ${shellWord(operand.replace(EXTENSION, ''))}\`: the definition is written into it.`,
    )
  const answers = context.interactive ? await ask(directory, context) : defaults(directory)
  const definition = `${kebabCase(answers.name)}.portico`
  if (existsSync(join(directory, definition)))
    throw surroundingsFailure(
      `${join(operand, definition)} exists already, so nothing was written.`,
      'Name another directory.',
    )
  makeDirectory(directory)
  writeFileSync(join(directory, definition), starterDefinition(answers), { flag: 'wx' })
  context.print(join(operand, definition))
  context.say(`Run it: portico dev ${shellWord(join(operand, definition))}`)
  return EXIT.done
}

/** Not by `recursive: true`, with which Node never returns where the system refuses a directory with ENOENT, as /proc does. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  mkdirSync(directory)
}

function defaults(directory: string): StarterAnswers {
  const name = projectNameFor(basename(directory))
  const answers: StarterAnswers = { name, authentication: true, content: 'example' }
  return problemOf(answers) === undefined ? answers : { ...answers, name: `${name}Platform` }
}

async function ask(directory: string, context: Context): Promise<StarterAnswers> {
  const initial = defaults(directory)
  const prompts = await loadPrompts(context)
  const content = await prompts.choose<StarterContent>({
    message: 'What should it begin with?',
    default: initial.content,
    choices: [
      {
        value: 'example',
        name: 'An example',
        description: 'Services, a reference and a struct to learn from.',
      },
      { value: 'minimal', name: 'One small service' },
    ],
  })
  const authentication = await prompts.confirm({
    message: 'Do users log in?',
    default: initial.authentication,
  })
  const name = await prompts.text({
    message: 'What is the project called?',
    default: initial.name,
    check: (text) => problemOf({ name: text, authentication, content }) ?? true,
  })
  return { name, authentication, content }
}

/** What validation says of the definition that these answers give; `undefined` where it says nothing. */
function problemOf(answers: StarterAnswers): string | undefined {
  return checkText(starterDefinition(answers)).diagnostics.find(({ severity }) => severity === 'error')
    ?.message
}
