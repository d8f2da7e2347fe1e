import { writeFileSync } from 'node:fs'
import { readSteps, runSteps, withOutput } from './console.ts'
import { EXAMPLES_TO_RUN, FIRST, readReadme, startExample } from './example.ts'
import { readActions, readTutorial, runWalkthrough, TUTORIAL } from './walkthrough.ts'

// `npm run record:examples`: runs the commands in the READMEs of the examples and in the tutorial, and records their
// output there. Read the diff before you commit it. `npm run record:examples tutorial stays` runs only these two.
const wanted = process.argv.slice(2)
for (const example of [FIRST, ...EXAMPLES_TO_RUN]) {
  if (wanted.length > 0 && !wanted.includes(example.name)) continue
  const readme = readReadme(example)
  const running = await startExample(example)
  try {
    writeFileSync(example.readme, withOutput(readme, await runSteps(readSteps(readme), running.gateway)))
  } finally {
    await running.stop()
  }
}

if (wanted.length === 0 || wanted.includes('tutorial')) {
  const page = readTutorial()
  const walkthrough = await runWalkthrough(readActions(page))
  writeFileSync(TUTORIAL, withOutput(page, walkthrough.printed))
  walkthrough.remove()
}
