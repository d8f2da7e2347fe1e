import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makePlan } from '../../src/output/make-plan.ts'
import { NO_MANIFEST, type Manifest } from '../../src/output/manifest.ts'
import { changes, pathOf } from '../../src/output/plan.ts'
import { viewDirectory, type Entry } from '../../src/output/project-view.ts'
import { digest } from '../../src/output/digest.ts'
import { updateProject } from '../../src/output/update-project.ts'
import { generation, TestDirectory } from './project.ts'

const PATHS = [
  'README.md',
  'home/src/main.ts',
  'home/src/setup.ts',
  'home/src/routes.ts',
  'home/package.json',
  'host/src/main.ts',
  'host/src/setup.ts',
  'notes.txt',
  'home/src/main.ts.orig',
]

const path = fc.constantFrom(...PATHS)
const version = fc.integer({ min: 1, max: 3 })
const files = fc
  .dictionary(fc.constantFrom(...PATHS.slice(0, 7)), version, { noNullPrototype: true })
  .map((chosen) =>
    Object.fromEntries(Object.entries(chosen).map(([file, number]) => [file, textOf(file, number)])),
  )

type Event =
  | { kind: 'generate'; files: Record<string, string>; overwrite: boolean }
  | { kind: 'edit'; path: string }
  | { kind: 'delete'; path: string }

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('generate'), files, overwrite: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit'), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), path }) },
)

function textOf(file: string, number: number): string {
  return file.endsWith('.json') ? `{\n  "version": "${number}"\n}\n` : `${file} version ${number}\n`
}

describe('whatever is generated, edited and deleted', () => {
  it('no text of the user is lost', { timeout: 120_000 }, async () => {
    const run = async (events: readonly Event[]): Promise<void> => {
      using directory = new TestDirectory()
      /** Texts that the user wrote and did not delete or replace. */
      const written = new Set<string>()
      for (const [number, step] of events.entries()) {
        if (step.kind === 'generate') {
          const before = directory.tree()
          const outcome = await updateProject(directory.path, generation(step.files), {
            overwrite: step.overwrite,
          })
          if (!outcome.ok) {
            expect(outcome.problem.code).toBe('conflict')
            expect(directory.tree()).toEqual(before)
          }
        } else {
          for (const text of written)
            if (existsSync(join(directory.path, step.path)) && directory.read(step.path).includes(text))
              written.delete(text)
          if (step.kind === 'delete') rmSync(join(directory.path, step.path), { force: true })
          else {
            mkdirSync(dirname(join(directory.path, step.path)), { recursive: true })
            const text = `of the user, number ${number}.`
            directory.write(step.path, step.path.endsWith('.json') ? JSON.stringify({ [text]: true }) : text)
            written.add(text)
          }
        }
        const texts = Object.values(directory.tree())
        for (const text of written)
          expect(
            texts.some((found) => found.includes(text)),
            text,
          ).toBe(true)
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(event, { minLength: 2, maxLength: 10 }), run), { numRuns: 150 })
  })
})

describe('a plan', () => {
  const digestOf = (text: string): string => digest(text)
  const record = fc.record({
    owner: fc.constantFrom('generated', 'user', 'shared'),
    sha256: version.map((number) => digestOf(`version ${number}`)),
  })
  const manifest: fc.Arbitrary<Manifest> = fc
    .array(fc.tuple(path, record))
    .map((entries) => ({ ...NO_MANIFEST, files: new Map(entries) }))
  const entry: fc.Arbitrary<Entry> = fc.oneof(
    fc.constant<Entry>({ kind: 'absent' }),
    fc.constantFrom<Entry>({ kind: 'directory' }, { kind: 'link' }, { kind: 'special' }),
    fc.constant<Entry>({ kind: 'blocked', at: 'home', by: 'link' }),
    fc.integer({ min: 1, max: 5 }).map(
      (number): Entry => ({
        kind: 'file',
        text: `version ${number}`,
        sha256: digestOf(`version ${number}`),
      }),
    ),
  )
  const entries = fc.array(fc.tuple(path, entry)).map((pairs) => new Map(pairs))
  const wanted = fc
    .array(fc.tuple(path, fc.constantFrom('generated', 'user'), version))
    .map((chosen) => [...new Map(chosen.map((file) => [file[0], file])).values()])

  it('touches only what the manifest knows unchanged, or is told to, and then keeps it', () => {
    fc.assert(
      fc.property(
        manifest,
        entries,
        wanted,
        fc.boolean(),
        fc.boolean(),
        (known, found, chosen, overwrite, ignoresCase) => {
          const emitted = chosen.map(([file, owner, number]) => ({
            path: file,
            content: `version ${number}`,
            owner,
          }))
          const view = { entry: (file: string): Entry => found.get(file) ?? { kind: 'absent' }, ignoresCase }
          const {
            actions,
            conflicts,
            manifest: next,
          } = makePlan(
            { files: emitted, answers: {}, schema: undefined },
            { view, manifest: known, overwrite },
          )
          for (const action of actions) {
            const at = view.entry(pathOf(action))
            const remembered = known.files.get(pathOf(action))
            if (action.kind === 'create') expect(at.kind).toBe('absent')
            if (action.kind === 'replace' || action.kind === 'remove') {
              expect(at.kind === 'file' && at.sha256 === remembered?.sha256).toBe(true)
              if (action.kind === 'replace') expect(remembered?.owner).not.toBe('user')
            }
            if (action.kind === 'overwrite') {
              expect(overwrite).toBe(true)
              expect(view.entry(action.backup).kind).toBe('absent')
              expect(emitted.map((file) => file.path)).not.toContain(action.backup)
            }
            if (changes(action) && at.kind === 'file' && 'file' in action)
              expect(action.file.owner).not.toBe('user')
          }
          const paths = actions.map(pathOf)
          expect(new Set(paths).size).toBe(paths.length)
          if (overwrite) expect(conflicts.every(({ kind }) => kind === 'blocked')).toBe(true)
          if (conflicts.length === 0) {
            for (const file of emitted) expect(next.files.has(file.path)).toBe(true)
          }
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('removes nothing that is the same file under another spelling', () => {
    const old: Manifest = {
      ...NO_MANIFEST,
      files: new Map([['api/Shop.yaml', { owner: 'generated', sha256: digestOf('old') }]]),
    }
    const next = {
      files: [{ path: 'api/shop.yaml', content: 'new', owner: 'generated' as const }],
      answers: {},
      schema: undefined,
    }
    const there: Entry = { kind: 'file', text: 'old', sha256: digestOf('old') }
    const kinds = (ignoresCase: boolean, entryOf: (file: string) => Entry): string[] =>
      makePlan(next, { view: { entry: entryOf, ignoresCase }, manifest: old, overwrite: false }).actions.map(
        (action) => `${action.kind} ${pathOf(action)}`,
      )
    expect(kinds(true, () => there)).toEqual(['replace api/shop.yaml'])
    expect(kinds(false, (file) => (file === 'api/Shop.yaml' ? there : { kind: 'absent' }))).toEqual([
      'remove api/Shop.yaml',
      'create api/shop.yaml',
    ])
  })

  it('reads no more than it has to of a directory that does not exist', () => {
    const view = viewDirectory('/nowhere/at/all')
    expect(view.entry('home/src/main.ts')).toEqual({ kind: 'absent' })
    expect(view.ignoresCase).toBe(false)
  })
})
