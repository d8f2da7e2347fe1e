import { typescriptClient } from '../emit/client/typescript/emit.ts'
import type { RunCommand } from './command.ts'
import { compileDefinition } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { writeOutput } from './write-output.ts'

/** `portico client`: writes a typed client package. */
export const run: RunCommand = async (invocation, context) => {
  const platform = await compileDefinition(invocation, context)
  if (platform === undefined) return EXIT.failed
  return writeOutput(
    {
      kind: 'client',
      defaultDirectory: `${platform.names.kebab}-client`,
      generation: {
        files: typescriptClient(platform),
        answers: { client: 'typescript' },
        definition: undefined,
      },
      nextSteps: ({ previous }, directory) =>
        previous.files.size > 0
          ? []
          : [`Next: run \`npm install && npm run build\` in ${directory}; its README.md shows how to use it`],
    },
    invocation,
    context,
  )
}
