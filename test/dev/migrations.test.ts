import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { UNCHANGED } from '../../src/dev/events.ts'
import { pendingMigrations } from '../../src/dev/migrations.ts'
import type { EmbeddedPlatform } from '../../src/dev/platform.ts'
import { run } from '../cli/harness.ts'
import { call, createWorkplace, until, type Workplace } from './run-platform.ts'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)

describe('pending migrations', () => {
  const file = (name: string, from: string, to: string, sql = 'SELECT 1;') => ({
    name,
    content: `-- schema: ${from} -> ${to}\n${sql}\n`,
  })
  const initial = file('0001_initial.sql', 'none', A)
  const own = file('0002_own.sql', A, A)
  const change = file('0003_change.expand.sql', A, `${B}~1`)
  const end = file('0004_change.contract.sql', `${B}~1`, `${B}!`)
  const later = file('0005_later.sql', `${B}!`, `${B}!`)
  const all = [later, end, change, own, initial]
  const pending = (files: typeof all, applied: string[], hash: string) => {
    const found = pendingMigrations({ path: 'x-db/migrations', files, schema: undefined }, applied, hash)
    const numbers = (list: readonly { readonly name: string }[]) =>
      list.map(({ name }) => Number.parseInt(name, 10)).join('')
    return `${numbers(found.skipped)} ${numbers(found.own)} ${found.isNext ? 'next' : ''}${found.isComplete ? '' : ' more'}`
  }

  it('that start from the schema of the database are for the runner', () => {
    expect(pending(all, ['0001_initial'], A)).toBe(' 2 next more')
    expect(pending(all, ['0001_initial', '0002_own'], A)).toBe('  next more')
    expect(pending(all, [], A)).toBe('1 2 next more')
  })

  it('that lead to a schema that the database is past count as applied, and those of the user run', () => {
    expect(pending(all, ['0001_initial'], 'c'.repeat(64))).toBe('34 25 ')
    // The user's first one was written for a schema that the database is past.
    expect(pending(all, ['0001_initial'], B)).toBe('34 25 ')
    expect(pending(all, ['0001_initial', '0002_own', '0003_change.expand', '0004_change.contract'], B)).toBe(
      ' 5 next',
    )
  })

  it('do not run without statements, or under another number', () => {
    const empty = file('0002_own.sql', A, A, '-- Write SQL here.\n/* Or\nhere. */')
    expect(pending([initial, empty], ['0001_initial'], A)).toBe('  ')
    expect(pending([initial, own], ['0001_initial', '0003_own'], A)).toBe('  ')
  })

  it('are not for the runner on a database that has those of another branch', () => {
    expect(pending([initial, own], ['0001_initial', '0002_other'], A)).toBe(' 2 ')
  })
})

describe('the databases of dev', () => {
  const define = (members: string) =>
    `Tiny: project {}\nHome: service { ${members} #enumerable; }\nNote: service { text: string; }\n`
  let place: Workplace

  afterEach(() => place.close())

  const generate = async (...options: string[]) => {
    const { status, stderr } = await run(['generate', place.definition, '-o', place.output, ...options])
    expect(status, stderr).toBe(0)
  }
  const migrations = () => path.join(place.output, 'home-db/migrations')
  /** Writes the SQL of a new migration of the user's, and returns its name. */
  async function own(sql: string): Promise<string> {
    const { status, stderr } = await run(['migration', 'new', 'home', 'own', '-o', place.output])
    expect(status, stderr).toBe(0)
    const name = readdirSync(migrations())
      .filter((each) => each.endsWith('_own.sql'))
      .sort()
      .at(-1)
    write(name ?? '', sql)
    return name ?? ''
  }
  function write(name: string, sql: string): void {
    const file = path.join(migrations(), name)
    writeFileSync(file, `${/^(?:--.*\n)*/.exec(readFileSync(file, 'utf8'))?.[0] ?? ''}\n${sql}\n`)
  }
  const homes = async (platform: EmbeddedPlatform) =>
    (await call(platform, 'GET', '/api/home/all')).body['HomeList']
  const post = async (platform: EmbeddedPlatform, body: object) =>
    (await call(platform, 'POST', '/api/home', { body })).status

  it('are made by the migrations of the project, those of the user included, and brought to the definition', async () => {
    place = await createWorkplace(define('rate: int;'))
    await generate()
    await own('-- no transaction\n\nCREATE UNIQUE INDEX CONCURRENTLY one_rate ON home (rate);')
    await place.define(define('rate: int; beds: int = 2;'))
    const platform = await place.start()
    expect(await post(platform, { rate: 1 })).toBe(201)
    expect(await post(platform, { rate: 1 })).not.toBe(201)
    expect(await homes(platform)).toMatchObject([{ rate: 1, beds: 2 }])
    await platform.stop()

    // The next one runs on the rows that are there, and `--fresh` runs all of them from nothing.
    await own('UPDATE home SET rate = rate + 1;')
    const second = await place.start()
    expect(await homes(second)).toMatchObject([{ rate: 2, beds: 2 }])
    await second.stop()
    const third = await place.start()
    expect(await homes(third)).toMatchObject([{ rate: 2 }])
    await third.stop()
    const fresh = await place.start({ fresh: true })
    expect(await homes(fresh)).toEqual([])
    expect(await post(fresh, { rate: 1 })).toBe(201)
    expect(await post(fresh, { rate: 1 })).not.toBe(201)
  })

  it('get the values that a generated migration has, without a question', async () => {
    place = await createWorkplace(define('rate: int;'))
    await generate()
    const first = await place.start()
    expect(await post(first, { rate: 1 })).toBe(201)
    await first.stop()
    await place.define(define('rate: int; city: string(9);'))
    await generate('--backfill', 'Home.city=Oslo')
    const second = await place.start()
    expect(await homes(second)).toMatchObject([{ rate: 1, city: 'Oslo' }])
    await second.stop()
    // What `dev` has done itself does not run again.
    await place.define(define('rate: int; city: string(9); beds: int = 3;'))
    const third = await place.start()
    await third.stop()
    await generate()
    const fourth = await place.start()
    expect(await homes(fourth)).toMatchObject([{ rate: 1, city: 'Oslo', beds: 3 }])
  })

  it('keep running when a migration of the user fails, which is shown with its line', async () => {
    place = await createWorkplace(define('rate: int;'))
    await generate()
    const platform = await place.start({ watch: true })
    expect(await post(platform, { rate: 1 })).toBe(201)
    const name = await own('UPDATE home SET rate = 7;\nUPDATE home SET stars = 1;')
    expect(await place.event('problem')).toMatchObject({
      text: `home-db/migrations/${name}, line 5: column "stars" of relation "home" does not exist
  UPDATE home SET stars = 1;
help: correct the file, or run with \`--fresh\` to delete all data
${UNCHANGED}`,
    })
    expect(await homes(platform)).toMatchObject([{ rate: 1 }])
    write(name, 'UPDATE home SET rate = 7;')
    expect(await place.event('notice')).toMatchObject({ text: `Applied home-db/migrations/${name}` })
    await until(async () => JSON.stringify(await homes(platform)).includes('7'))
    place.events.length = 0
    write(name, 'UPDATE home SET rate = 8;')
    expect((await place.event('notice')).text).toContain(`${name} was changed after it was applied`)
    expect(await homes(platform)).toMatchObject([{ rate: 7 }])
    await platform.stop()

    // At the start, it prevents it, and the next one goes on from there.
    const second = await own('SELECT rat FROM home;')
    await expect(place.start()).rejects.toThrow(`home-db/migrations/${second}, line 4: column "rat" does`)
    await expect(place.start({ fresh: true })).rejects.toThrow(`home-db/migrations/${second}, line 4:`)
    write(second, 'SELECT rate FROM home;')
    expect(await homes(await place.start())).toEqual([])
  })
})
