import { writeFileSync } from 'node:fs'
import { readSteps, runSteps, withAnswers } from './console.ts'
import { EXAMPLES_TO_RUN, FIRST, readReadme, startExample } from './example.ts'

// `npm run answers`: runs the commands of the examples' READMEs and writes what they print into them. Read the
// difference before committing it.
const wanted = process.argv.slice(2)
for (const example of [FIRST, ...EXAMPLES_TO_RUN]) {
  if (wanted.length > 0 && !wanted.includes(example.name)) continue
  const readme = readReadme(example)
  const running = await startExample(example)
  try {
    writeFileSync(example.readme, withAnswers(readme, await runSteps(readSteps(readme), running.gateway)))
  } finally {
    await running.stop()
  }
}
