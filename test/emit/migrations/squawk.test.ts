import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationsOf, PAIRS } from './changes.ts'

/** A rule of squawk that generated migrations break. */
interface Exception {
  readonly rule: string
  readonly reason: string
  /** Only files with this text may break it; without it, all may. */
  readonly where?: RegExp
}

const ANNOUNCED_LOCK = /^-- Locks \w+ against/m

const REPLACED_COLUMN = /^-- Changes .+ The old values stay in \w+\. The previous code cannot/m

const EXCEPTIONS: readonly Exception[] = [
  { rule: 'require-lock-timeout', reason: 'The runner sets lock_timeout, and tries again.' },
  {
    rule: 'require-statement-timeout',
    reason: 'Building an index and copying rows take as long as the table is large. Neither blocks others.',
  },
  { rule: 'prefer-bigint-over-int', reason: '`int(precision: 4)` asks for this type.' },
  { rule: 'prefer-bigint-over-smallint', reason: '`int(precision: 2)` asks for this type.' },
  {
    rule: 'ban-drop-column',
    reason: 'Dropped after the previous code has ended, and after the user has agreed to lose its values.',
    where: /^-- The previous code does not work after this file/m,
  },
  {
    rule: 'ban-drop-table',
    reason: 'Dropped after the previous code has ended, and after the user has agreed to lose its rows.',
    where: /^-- The previous code does not work after this file/m,
  },
  {
    rule: 'ban-drop-not-null',
    reason: 'The new code does not read the column, or it is optional now.',
    where: /^-- Makes \w+ of \w+ optional/m,
  },
  {
    rule: 'adding-not-nullable-field',
    reason: 'A validated CHECK says the same, so that Postgres does not scan the table.',
    where: /DROP CONSTRAINT "\w+__present"/,
  },
  {
    rule: 'renaming-column',
    reason: 'A column of another type takes the name: the previous code cannot work with it.',
    where: REPLACED_COLUMN,
  },
  {
    rule: 'adding-not-nullable-field',
    reason: 'A retyped column is locked already. The header announces the lock.',
    where: REPLACED_COLUMN,
  },
  {
    rule: 'ban-drop-not-null',
    reason: 'The new code does not read a column that another has replaced.',
    where: REPLACED_COLUMN,
  },
  {
    rule: 'changing-column-type',
    reason: 'The type cannot change otherwise. The header announces the lock.',
    where: ANNOUNCED_LOCK,
  },
  {
    rule: 'constraint-missing-not-valid',
    reason: 'An exclusion constraint cannot be NOT VALID, and a retyped column is locked already.',
    where: ANNOUNCED_LOCK,
  },
  {
    rule: 'disallowed-unique-constraint',
    reason:
      'Entries that become the target of references need their key first, and a retyped column is locked already. The header announces the lock.',
    where: ANNOUNCED_LOCK,
  },
  {
    rule: 'require-concurrent-index-deletion',
    reason: 'A retyped column is locked already. The header announces the lock.',
    where: ANNOUNCED_LOCK,
  },
  {
    rule: 'renaming-table',
    reason: 'A renamed struct (`#was`) is a breaking change: short 503s are allowed.',
    where: /^-- Renames \w+ to \w+\. The previous code cannot work with the new name/m,
  },
]

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
})
afterAll(() => rm(directory, { recursive: true }))

interface Violation {
  readonly file: string
  readonly line: number
  readonly rule_name: string
  readonly message: string
}

/** Runs squawk, which fails where it finds something. */
async function lint(files: readonly string[], ...options: string[]): Promise<Violation[]> {
  const squawk = createRequire(import.meta.url).resolve('squawk-cli/js/bin/squawk')
  const words = [squawk, '--pg-version=18', '--reporter=json', ...options, ...files]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { cwd: directory }, (_error, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr))
      else resolve(JSON.parse(stdout) as Violation[])
    })
  })
}

test('squawk accepts every generated file, but for the rules that are listed', async () => {
  const contents = new Map<string, string>()
  for (const [index, [, before, after]] of PAIRS.entries())
    for (const { name, content } of migrationsOf([before, after]).flat())
      contents.set(`${index}_${name}`, content)
  await Promise.all(Array.from(contents, ([name, content]) => writeFile(path.join(directory, name), content)))
  const isAlone = (name: string): boolean => /^-- no transaction$/m.test(contents.get(name) ?? '')
  const names = [...contents.keys()]
  const found = [
    ...(await lint(
      names.filter((name) => !isAlone(name)),
      '--assume-in-transaction',
    )),
    ...(await lint(names.filter(isAlone))),
  ]
  const isExcepted = ({ file, rule_name }: Violation): boolean =>
    EXCEPTIONS.some(
      ({ rule, where }) =>
        rule === rule_name && (where === undefined || where.test(contents.get(file) ?? '')),
    )
  expect(found.filter((each) => !isExcepted(each))).toEqual([])
  const broken = new Set(found.map(({ rule_name }) => rule_name))
  expect(EXCEPTIONS.map(({ rule }) => rule).filter((rule) => !broken.has(rule))).toEqual([])
})
