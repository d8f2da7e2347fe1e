import { DIAGNOSTIC_CODES } from '../diagnostics/catalogue.ts'
import type { RunCommand } from './command.ts'
import { completionModel } from './completion/model.ts'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import { zshScript } from './completion/zsh.ts'
import { EXIT } from './exit-status.ts'
import { usageFailure } from './failure.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** `portico completion`: the script that a shell reads to complete the command line. */
export const run: RunCommand = async ({ operands: [shell = ''] }, { stdout }) => {
  if (!isShell(shell)) throw usageFailure(`There is no completion for \`${shell}\`.`)
  stdout.write(SCRIPTS[shell](completionModel(DIAGNOSTIC_CODES)))
  return EXIT.done
}

function isShell(name: string): name is keyof typeof SCRIPTS {
  return Object.hasOwn(SCRIPTS, name)
}
