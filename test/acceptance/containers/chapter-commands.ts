import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The commands in a chapter of a generated project's README, one text for each block of them. */
export function chapterCommands(directory: string, heading: string): string[] {
  const readme = readFileSync(path.join(directory, 'README.md'), 'utf8')
  const chapter = readme.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? ''
  return [...chapter.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands)
}
