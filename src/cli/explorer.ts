import { readAssets } from '../dev/explorer/assets.ts'
import { deployedExplorer } from '../emit/explorer/deployed.ts'
import type { RunCommand } from './command.ts'
import { surroundingsFailure } from './failure.ts'
import { writePackage } from './package-output.ts'

/** `portico explorer`: writes the page that `portico dev` serves, to be served beside a deployment. */
export const run: RunCommand = (invocation, context) => {
  const assets = readAssets()
  if (!assets.has('index.html'))
    throw surroundingsFailure(
      'The explorer was not built: run `npm run build` in the clone of Portico first.',
    )
  return writePackage(
    {
      kind: 'explorer',
      answer: 'compose',
      files: (platform) => deployedExplorer(platform, assets),
      next: (directory) =>
        `Next: \`docker compose up --detach --build\` in ${directory}, beside a running platform.`,
    },
    invocation,
    context,
  )
}
