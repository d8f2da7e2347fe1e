import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { apiChanges } from '../../../src/emit/api-changes/api-changes.ts'
import { openApiDocument } from '../../../src/emit/openapi/document.ts'
import type { Platform } from '../../../src/model/platform.ts'
import { EXAMPLES, GOLDENS } from './definitions.ts'
import { type Mutation, MUTATIONS, mutants } from './mutations.ts'
import { oasdiffPath, runTool } from './tools.ts'

// `portico diff` and oasdiff have to find breaking changes of the same endpoints: the first by comparing two
// definitions, the second by comparing their OpenAPI documents.

/** A breaking change that one of the programs reports. */
interface BreakingChange {
  readonly rule: string
  readonly endpoint: string
  readonly reason: string
}

/** Changes that only one of the programs reports, and why. */
const DIFFERENCES: readonly {
  readonly why: string
  readonly reporter: 'portico' | 'oasdiff'
  readonly matches: (change: BreakingChange, mutation: string) => boolean
}[] = [
  {
    why: 'OpenAPI describes who may use an endpoint only in `x-access`, which oasdiff does not compare.',
    reporter: 'portico',
    matches: ({ rule }) => rule === 'access-narrowed',
  },
  {
    why: 'oasdiff regards security that is added to an endpoint as compatible. Clients without a token get 401.',
    reporter: 'portico',
    matches: ({ rule }) => rule === 'authentication-added',
  },
  {
    why: 'oasdiff regards security that is removed as breaking. Clients that still send a token get the same response.',
    reporter: 'oasdiff',
    matches: ({ rule }) => rule === 'api-security-removed',
  },
  {
    why: 'OpenAPI does not describe uniqueness.',
    reporter: 'portico',
    matches: ({ rule }) => rule === 'unique-added',
  },
  {
    why: 'OpenAPI says only in words which value of an enum with `@transitions` a new entity has.',
    reporter: 'portico',
    matches: ({ reason }) => reason.includes(' of a new entity can only be '),
  },
  {
    why: 'OpenAPI describes what an id refers to only in `x-references`, which oasdiff does not compare.',
    reporter: 'portico',
    matches: ({ rule, reason }) => rule === 'type-changed' && /: id of .* \(before: id of /.test(reason),
  },
  {
    why: 'oasdiff does not report the first minimum length of a query parameter. Filters with shorter values get 400.',
    reporter: 'portico',
    matches: ({ rule }, mutation) => rule === 'filter-narrowed' && mutation === 'minimum length added',
  },
  ...(['portico', 'oasdiff'] as const).map((reporter) => ({
    why: 'The bounds of a decimal are part of its pattern, and oasdiff regards every change of a pattern as breaking.',
    reporter,
    matches: (_: BreakingChange, mutation: string) => mutation.includes(' of a decimal '),
  })),
  ...(['portico', 'oasdiff'] as const).map((reporter) => ({
    why: 'oasdiff regards an enum that becomes any string as compatible in most responses. Clients may not know the new values.',
    reporter,
    matches: (_: BreakingChange, mutation: string) => mutation === 'enum to string',
  })),
  ...(['portico', 'oasdiff'] as const).map((reporter) => ({
    why: 'oasdiff regards the values of an enum that was any string as new values in responses, whatever its bounds were.',
    reporter,
    matches: ({ rule }: BreakingChange, mutation: string) =>
      rule.startsWith('response-') && mutation === 'string to enum',
  })),
  ...(['portico', 'oasdiff'] as const).map((reporter) => ({
    why: 'The padding of base64 is described by `anyOf`, whose branches oasdiff compares only as a whole.',
    reporter,
    matches: (_: BreakingChange, mutation: string) => mutation === 'maximum size raised by a byte',
  })),
]

const DEFINITIONS = [...EXAMPLES, ...GOLDENS].flatMap(({ name, text }) => {
  const { platform } = compile(text)
  return platform === undefined ? [] : [{ name, text, platform }]
})

interface Pair {
  readonly mutation: string
  readonly definition: string
  readonly older: Platform
  readonly newer: Platform
}

let directory: string

beforeAll(() => void (directory = mkdtempSync(path.join(tmpdir(), 'portico-oasdiff-'))))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('oasdiff finds breaking changes of the same endpoints', { timeout: 400_000 }, async () => {
  const pairs = MUTATIONS.flatMap(pairsOf)
  expect(pairs.length).toBeGreaterThan(60)
  const used = new Set<string>()
  const unlike: object[] = []
  for (const { mutation, definition, older, newer } of pairs) {
    const reports = {
      portico: apiChanges(older, newer).filter(({ breaking }) => breaking),
      oasdiff: await oasdiffChanges(older, newer),
    }
    const [ours, theirs] = (['portico', 'oasdiff'] as const).map((reporter) => {
      const common = reports[reporter].filter((change) => {
        const difference = DIFFERENCES.find(
          (each) => each.reporter === reporter && each.matches(change, mutation),
        )
        if (difference !== undefined) used.add(difference.why)
        return difference === undefined
      })
      return [...new Set(common.map(({ endpoint }) => endpoint))].sort()
    })
    if (!isDeepStrictEqual(ours, theirs)) unlike.push({ mutation, definition, ours, theirs })
  }
  expect(unlike).toEqual([])
  expect(DIFFERENCES.map(({ why }) => why).filter((why) => !used.has(why))).toEqual([])
})

/** Pairs of valid definitions that differ by one mutation: places that differ in which rules we report for them. */
function pairsOf(mutation: Mutation): Pair[] {
  const pairs = new Map<string, Pair>()
  for (const definition of DEFINITIONS)
    for (const text of mutants(definition.text, mutation)) {
      const newer = compile(text).platform
      if (newer === undefined) continue
      const rules = apiChanges(definition.platform, newer).map(({ rule }) => rule)
      const key = [...new Set(rules)].sort().join()
      if (!pairs.has(key))
        pairs.set(key, {
          mutation: mutation.name,
          definition: definition.name,
          older: definition.platform,
          newer,
        })
    }
  expect([...pairs.values()], mutation.name).not.toEqual([])
  return [...pairs.values()]
}

async function oasdiffChanges(older: Platform, newer: Platform): Promise<BreakingChange[]> {
  const files = Object.entries({ older, newer }).map(([name, platform]) => {
    const file = path.join(directory, `${name}.json`)
    writeFileSync(file, JSON.stringify(openApiDocument(platform)))
    return file
  })
  const { status, output } = await runTool(oasdiffPath(), ['breaking', ...files, '--format', 'json'])
  expect(status, output).toBe(0)
  const changes = JSON.parse(output) as { id: string; operation: string; path: string; text: string }[]
  return changes
    .map(({ id, operation, path: route, text }) => ({
      rule: id,
      endpoint: `${operation} ${route}`,
      reason: text,
    }))
    .filter(({ endpoint }) => !endpoint.endsWith('/{id}/all')) // the longer of the two paths of a struct's list
}
