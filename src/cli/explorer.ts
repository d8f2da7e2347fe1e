import { readAssets } from '../dev/explorer/assets.ts'
import { deployedExplorer } from '../emit/explorer/deployed.ts'
import type { RunCommand } from './command.ts'
import { environmentError } from './command-error.ts'
import { compileDefinition } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { writeOutput } from './write-output.ts'

/** `portico explorer`: writes the explorer of `portico dev` as a package to deploy next to a platform. */
export const run: RunCommand = async (invocation, context) => {
  const assets = readAssets()
  if (!assets.has('index.html'))
    throw environmentError('The explorer is not built', 'run `npm run build` in the clone of Portico')
  const platform = await compileDefinition(invocation, context)
  if (platform === undefined) return EXIT.failed
  return writeOutput(
    {
      kind: 'explorer',
      defaultDirectory: `${platform.names.kebab}-explorer`,
      generation: {
        files: deployedExplorer(platform, assets),
        answers: { explorer: 'compose' },
        definition: undefined,
      },
      nextSteps: ({ previous }, directory) =>
        previous.files.size > 0
          ? []
          : [
              `Next: start a deployed platform, then run \`docker compose up --detach --build\` in ${directory}`,
            ],
    },
    invocation,
    context,
  )
}
