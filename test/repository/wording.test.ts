import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

// Portico's texts and names use the words that engineers use elsewhere. This test finds the ones they do not.

const ROOT = join(import.meta.dirname, '../..')

/** A wording to avoid. The pattern leaves out the meanings in which the same words are right. */
interface Wording {
  readonly avoid: RegExp
  readonly write: string
}

const PHRASES: readonly Wording[] = [
  {
    avoid:
      /(?<!\b(?:leave|leaves|leaving|left)\b.*)\bbehind\b(?! (?:schedule|the scenes)\b)(?! (?:(?:a|an|any|every|its|one|our|that|the|their|this|your) )?(?:[\w-]+ ){0,2}(?:address|balancer|Envoy|gateway|gateways|Ingress|NAT|prox\w+|tunnel)\b)/i,
    write: 'after',
  },
  { avoid: /\bThere (?:is|are) no\b/, write: 'Unknown X, Missing X, X has no Y' },
  { avoid: /(?<!\bthere )\bis no (?!longer\b|larger\b)\w/i, write: 'is not a' },
  { avoid: /\bstands\b(?! (?:for|in for)\b)/i, write: 'is' },
  { avoid: /\b(?:can|cannot|may|might|must|not|to) stand\b(?! for\b)/i, write: 'X is not allowed here' },
  { avoid: /\bwhoever\b/i, write: 'the user who' },
  { avoid: /\b(?:take|takes|taken|takes|taking|took) away\b/i, write: 'remove' },
  { avoid: /\b(?:carries|carry|carried|carrying) out\b/i, write: 'run, apply' },
  { avoid: /\bof (?:no )?use\b(?! of\b)/i, write: 'X requires Y' },
  { avoid: /(?<!\b(?:leave|leaves|leaving|left|let|lets|letting)\b.*)\balone\b/i, write: 'only' },
  { avoid: /\bmend(?:s|ed|ing)?\b/i, write: 'fix' },
  { avoid: /\bwherever it\b/i, write: 'everywhere' },
  { avoid: /\bas [\w ]{1,25} (?:has|have) (?:it|them)\b/i, write: "in the protocol's form, like X" },
  { avoid: /\bstretch(?:es)? of\b/i, write: 'range, part' },
  { avoid: /\b(?:work|works|worked|working) (?:it |them )?out (?!of\b)/i, write: 'compute' },
  {
    avoid:
      /(?:behavi|fav|neighb|hon)our|colour(?!:)|\blicence|misspelt|(?:initial|normal|recogn|serial|optim|minim)is(?:e|ing|ed|es|ation)|\banalys(?:e|ed|es|ing)\b/i,
    write: 'color, behavior, license, normalize: American spelling',
  },
]

const NAMES: readonly Wording[] = [
  { avoid: /\b(?:Findings?|findings|finding(?=[.,:;()[\]?]))|\w+Findings?\b/, write: 'Diagnostic' },
  { avoid: /\b[A-Z]?[a-z]*Mends?\b/, write: 'CodeFix' },
  { avoid: /\b(?:Spot|spotOf|spotAt)\b/, write: 'CompletionContext' },
  { avoid: /epitome/i, write: 'minimal context' },
  { avoid: /\bVerdict\b/, write: 'outcome' },
  { avoid: /\bstrays\b/, write: 'top-level members' },
  { avoid: /\b(?:isMarred|marred)\b/, write: 'overlapsSyntaxError' },
  { avoid: /vocabular/i, write: 'builtins' },
  { avoid: /\babilities\b/i, write: 'clientCapabilities' },
  { avoid: /stillWanted/i, write: 'throwIfCancelled' },
  { avoid: /\bisAsked\b/, write: 'hasPendingRequests' },
  { avoid: /carryOut/i, write: 'applyJournal' },
  { avoid: /\bSurprise\b/, write: 'ConcurrentModificationError' },
  {
    avoid: /\b(?:takeAway|setAside|putToSleep|beModest)\b/i,
    write: 'removeFile, backups, suspendIdle, lowerPriority',
  },
  { avoid: /\bclosers?\b(?! to\b)/, write: 'disposables' },
  { avoid: /\bsurroundings\b/i, write: 'ProcessIO' },
  { avoid: /shortfall/i, write: 'Violation' },
  { avoid: /gatherList/i, write: 'collectList' },
  { avoid: /\b(?:pristine|stranger|resident(?! memory))\b/i, write: 'isolated, freshUser, sharedUser' },
  { avoid: /\brefusals?\b/i, write: 'errorResponses' },
  { avoid: /\bpatience\b/i, write: 'timeoutMs' },
]

const FILE_NAME =
  /(?<!cap)abilities|carry|closers?\b|epitome|finding|gather|marred|\bmend|refusal|shortfall|\bspot\b|stray|surprise|surroundings|verdict|vocabular|\bwire\b/i

/** Directories of files that are generated, also by 0.1.0, installed or made by a run; boundaries.test.ts makes `boundary-*`. */
const SKIPPED = new Set([
  '0.1.0',
  '.git',
  '.portico',
  '.work',
  'coverage',
  'dist',
  'expected',
  'generated',
  'node_modules',
])
const EXTENSIONS =
  /\.(?:[cm]?[jt]sx?|css|html|json|langium|lua|md|portico|py|sh|svg|temple|txt|ya?ml|zsh)$|^(?:LICENSE|Dockerfile|\w+)$/

const THIS = basename(import.meta.filename)

function files(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry: Dirent) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory())
      return SKIPPED.has(entry.name) || entry.name.startsWith('boundary-') ? [] : files(path)
    return entry.isFile() && EXTENSIONS.test(entry.name) ? [relative(ROOT, path)] : []
  })
}

const TEXTS = files(ROOT)
  .filter(
    (file) =>
      !/(?:^|\/)(?:LICENSE|package-lock\.json)$|^examples\/\w+\/platform\/|^bench\/results|^CHANGELOG\.md$/.test(
        file,
      ),
  )
  .filter((file) => basename(file) !== THIS)
  .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n') }))

/** The lines that match, as `file:line: text`. */
function linesWith(avoid: RegExp): string[] {
  return TEXTS.flatMap(({ file, lines }) =>
    lines.flatMap((line, index) => (avoid.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
}

describe('the project avoids', () => {
  test.each([...PHRASES, ...NAMES])('$avoid; use: $write', ({ avoid }) => {
    expect(linesWith(avoid)).toEqual([])
  })
})

test('no file has a name that the project no longer uses', () => {
  expect(TEXTS.map(({ file }) => file).filter((file) => FILE_NAME.test(basename(file)))).toEqual([])
})
