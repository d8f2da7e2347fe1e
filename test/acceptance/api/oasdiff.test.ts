import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
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
  {
    why: 'oasdiff regards the values of an enum that was any string as new values in responses.',
    reporter: 'oasdiff',
    matches: ({ rule }, mutation) => rule.startsWith('response-property-') && mutation === 'string to enum',
  },
  {
    why: 'oasdiff does not report a string that becomes an enum in `anyOf`, as in filters of optional attributes. Filters with other texts get 400.',
    reporter: 'portico',
    matches: ({ rule }, mutation) => rule === 'filter-narrowed' && mutation === 'string to enum',
  },
  ...(['portico', 'oasdiff'] as const).map((reporter) => ({
    why: 'The padding of base64 is described by `anyOf`, whose branches oasdiff compares only as a whole.',
    reporter,
    matches: (_: BreakingChange, mutation: string) => mutation === 'maximum size raised by a byte',
  })),
]

/** The places in all definitions at which each mutation is made, evenly distributed. */
const PLACES = 3

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
  expect(pairs.length).toBeGreaterThan(120)
  const used = new Set<string>()
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
    expect(ours, `${mutation} in ${definition}`).toEqual(theirs)
  }
  expect(DIFFERENCES.map(({ why }) => why).filter((why) => !used.has(why))).toEqual([])
})

/** Pairs of valid definitions that differ by one mutation: one for each part of the places. */
function pairsOf(mutation: Mutation): Pair[] {
  const places = DEFINITIONS.flatMap((definition) =>
    mutants(definition.text, mutation).map((text) => ({ definition, text })),
  )
  const size = Math.max(1, places.length / PLACES)
  const pairs: Pair[] = []
  for (let part = 0; part < PLACES; part++)
    for (const { definition, text } of places.slice(Math.round(part * size), Math.round((part + 1) * size))) {
      const newer = compile(text).platform
      if (newer === undefined) continue
      pairs.push({ mutation: mutation.name, definition: definition.name, older: definition.platform, newer })
      break
    }
  expect(pairs, mutation.name).not.toEqual([])
  return pairs
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
