import { typescriptClient } from '../emit/client/typescript/emit.ts'
import type { RunCommand } from './command.ts'
import { writePackage } from './package-output.ts'

/** `portico client`: writes a package that asks the platform. */
export const run: RunCommand = (invocation, context) =>
  writePackage(
    {
      kind: 'client',
      answer: 'typescript',
      files: typescriptClient,
      next: (directory) =>
        `Next: \`npm install && npm run build\` in ${directory}; its README.md shows how it is used.`,
    },
    invocation,
    context,
  )
