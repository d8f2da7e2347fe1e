import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Names that the product does not use, with those to use instead. */
const NAMES: readonly (readonly [avoid: string, write: string])[] = [
  ['\\w*[Ff]indings?', 'diagnostics'],
  ['[A-Z]?[a-z]*Mends?', 'CodeFix'],
  ['Spot|spotOf|spotAt', 'CompletionContext'],
  ['epitome', 'minimal context'],
  ['[Vv]erdict', 'outcome'],
  ['strays', 'top-level members'],
  ['isMarred|marred', 'overlapsSyntaxError'],
  ['[Vv]ocabular\\w*', 'builtins'],
  ['[Aa]bilities', 'clientCapabilities'],
  ['stillWanted', 'throwIfCancelled'],
  ['isAsked', 'hasPendingRequests'],
  ['carryOut', 'applyJournal'],
  ['Surprise', 'ConcurrentModificationError'],
  ['takeAway|setAside|putToSleep|beModest', 'removeFile, backups, suspendIdle, lowerPriority'],
  ['closers', 'disposables'],
  ['[Ss]urroundings', 'ProcessIO'],
  ['\\w*[Ss]hortfall\\w*', 'Violation'],
  ['gatherList', 'collectList'],
  ['[Pp]ristine|[Ss]tranger|[Rr]esident(?! memory)', 'isolated, freshUser, sharedUser'],
  ['[Rr]efusals?', 'errorResponses'],
  ['patience', 'timeoutMs'],
]
const FOLDERS = '{src,templates,explorer,vscode-extension,scripts,bench,docs,test}'

test('the product does not use these names', () => {
  const files = globSync(`${FOLDERS}/**/*.{ts,tsx,mjs,sh,css,md}`, {
    cwd: ROOT,
    exclude: (name) => /\/(?:node_modules|generated|dist|golden|\.work)$|wording\.test\.ts$/.test(`/${name}`),
  })
  expect(files.length).toBeGreaterThan(1000)
  const avoided = new RegExp(`\\b(?:${NAMES.map(([avoid]) => avoid).join('|')})\\b`)
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (avoided.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})
