import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ejectFiles, restoreFiles } from '../../src/output/eject.ts'
import { makePlan } from '../../src/output/planner.ts'
import { NO_MANIFEST, parseManifest, type Manifest } from '../../src/output/manifest.ts'
import { changesFile, pathOf } from '../../src/output/plan.ts'
import { viewDirectory, type DirectoryEntry } from '../../src/output/project-view.ts'
import { digest } from '../../src/output/project-view.ts'
import { updateProject } from '../../src/output/update-project.ts'
import { expectValue, generation, TestDirectory } from './project.ts'

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
  | { kind: 'eject' | 'restore'; path: string }

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('generate'), files, overwrite: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit'), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('eject', 'restore'), path }) },
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
            expect(outcome.error.code).toBe('conflict')
            expect(directory.tree()).toEqual(before)
          }
        } else if (step.kind === 'eject' || step.kind === 'restore') {
          if (!existsSync(join(directory.path, '.portico'))) continue
          const change = step.kind === 'eject' ? ejectFiles : restoreFiles
          expectValue(await change(directory.path, [step.path]))
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
  const entry: fc.Arbitrary<DirectoryEntry> = fc.oneof(
    fc.constant<DirectoryEntry>({ kind: 'absent' }),
    fc.constantFrom<DirectoryEntry>({ kind: 'directory' }, { kind: 'link' }, { kind: 'special' }),
    fc.constant<DirectoryEntry>({ kind: 'blocked', at: 'home', by: 'link' }),
    fc.integer({ min: 1, max: 5 }).map(
      (number): DirectoryEntry => ({
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

  it('changes only unmodified files in the manifest or, with `overwrite`, others with a backup', () => {
    fc.assert(
      fc.property(manifest, entries, wanted, fc.boolean(), (known, found, chosen, overwrite) => {
        const emitted = chosen.map(([file, owner, number]) => ({
          path: file,
          content: `version ${number}`,
          owner,
        }))
        const view = { entry: (file: string): DirectoryEntry => found.get(file) ?? { kind: 'absent' } }
        const { actions, conflicts, manifestText } = makePlan(
          { files: emitted, answers: {}, definition: undefined },
          { view, manifest: known, moves: [], overwrite },
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
          if (changesFile(action) && at.kind === 'file' && 'file' in action)
            expect(action.file.owner).not.toBe('user')
        }
        const paths = actions.map(pathOf)
        expect(new Set(paths).size).toBe(paths.length)
        if (overwrite) expect(conflicts.every(({ kind }) => kind === 'blocked')).toBe(true)
        if (conflicts.length === 0) {
          for (const file of emitted) expect(parseManifest(manifestText, 'm').files.has(file.path)).toBe(true)
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('does not remove a file with another spelling of a generated path', () => {
    const old: Manifest = {
      ...NO_MANIFEST,
      files: new Map([['api/Shop.yaml', { owner: 'generated', sha256: digestOf('old') }]]),
    }
    const file = { path: 'api/shop.yaml', content: 'new', owner: 'generated' as const }
    const view = { entry: (): DirectoryEntry => ({ kind: 'absent' }) }
    const { actions } = makePlan(
      { files: [file], answers: {}, definition: undefined },
      { view, manifest: old, moves: [], overwrite: false },
    )
    expect(actions.map((action) => `${action.kind} ${pathOf(action)}`)).toEqual(['create api/shop.yaml'])
  })

  it('reads little of a directory that does not exist', () => {
    const view = viewDirectory('/nowhere/at/all')
    expect(view.entry('home/src/main.ts')).toEqual({ kind: 'absent' })
  })
})
