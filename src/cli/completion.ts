import { DIAGNOSTIC_CODES } from '../diagnostics/catalogue.ts'
import type { RunCommand } from './command.ts'
import { completionModel } from './completion/model.ts'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import { zshScript } from './completion/zsh.ts'
import { EXIT } from './exit-status.ts'
import { usageError } from './command-error.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** `portico completion`: prints the completion script of a shell. */
export const run: RunCommand = async ({ operands: [shell = ''] }, { stdout }) => {
  if (!isShell(shell)) throw usageError(`Unknown shell \`${shell}\``)
  stdout.write(SCRIPTS[shell](completionModel(DIAGNOSTIC_CODES)))
  return EXIT.success
}

function isShell(name: string): name is keyof typeof SCRIPTS {
  return Object.hasOwn(SCRIPTS, name)
}
