import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultLines } from '../../../src/conformance/report.ts'
import { type Deployment, deploy } from './deployment.ts'
import { outcomeOf } from './docker.ts'
import { portico } from './project.ts'
import {
  ask,
  type Clients,
  deployed,
  expectSchemas,
  home,
  inUse,
  migrationFile,
  migrationLog,
  query,
} from './year.ts'
import * as changes from './year-definitions.ts'

const plain = (line: string): string => line
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }
const ROWS = 10_000
const USER = { email: 'year@example.com', password: 'correct horse' }
/** What was written by hand, in no definition. */
const OURS = /home_by_beds/

let year: Deployment
let clients: Clients
let text = changes.FIRST_DAY

beforeAll(async () => {
  year = await deploy(text)
  const { AccessToken } = await ask(year, 'POST', '/auth/register', {}, USER)
  const headers = { authorization: `Bearer ${String(AccessToken)}`, 'content-type': 'application/json' }
  const host = String((await ask(year, 'POST', '/host', headers, { name: 'Ada' }))['id'])
  const kept = await ask(year, 'POST', '/home', headers, home('Kept', host))
  clients = { headers, host, home: String(kept['id']), created: [] }
  await query(
    year,
    'home',
    `INSERT INTO home (id, _owner, address, rate, beds, owner)
      SELECT uuidv7(), '${host}', 'Street ' || n, n, CASE WHEN n <= 3 THEN 40 ELSE 4 END, '${host}'
        FROM generate_series(1, ${ROWS}) AS n`,
  )
})
afterAll(() => year?.destroy())

async function git(...args: readonly string[]): Promise<void> {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const { status, stderr } = await outcomeOf('git', [...identity, ...args], { cwd: year.directory })
  expect(status, stderr).toBe(0)
}

async function generate(change: changes.Change): Promise<void> {
  text = changes.changed(text, change)
  await year.regenerate(text, ...(change.options ?? []))
}

/** Writes something else into a migration that was not applied yet. */
async function edit(service: string, end: string, change: (sql: string) => string): Promise<void> {
  const file = migrationFile(year, service, end)
  const sql = await readFile(file, 'utf8')
  expect(change(sql)).not.toBe(sql)
  await writeFile(file, change(sql))
}

async function expectNothingLost(): Promise<void> {
  const found = await query(
    year,
    'home',
    `SELECT count(*) FILTER (WHERE address LIKE 'Street %'), count(*) FILTER (WHERE address LIKE 'Load %') FROM home`,
  )
  expect(found).toBe(`${ROWS}|${clients.created.length}`)
}

const named = ({ what }: changes.Change): string => what.join(', ')

// Each deployment brings all that one service can change at a time, and runs the contract files of the one before.

test(named(changes.SPRING), async () => {
  await git('init', '--quiet')
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'First day')
  await git('tag', 'first-day')
  await generate(changes.SPRING)
  await edit('home', 'add_city_to_home.expand.sql', (sql) =>
    sql.replace(/;\n$/, `;\n\nUPDATE "home" SET "city" = 'Utrecht' WHERE "address" LIKE '%7';\n`),
  )
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'Spring')
  await git('tag', 'spring')
  await inUse(year, clients, () => deployed(year))
  const cities = `SELECT count(*) FROM home WHERE address LIKE 'Street %' AND city = `
  expect(await query(year, 'home', `${cities} 'Utrecht'; ${cities} 'Unknown'`)).toBe(
    `${ROWS / 10}\n${(ROWS / 10) * 9}`,
  )
  for (const stars of [1, 3, 5])
    await ask(year, 'POST', '/review', clients.headers, { stars, home: clients.home })
  await expectNothingLost()
})

test('the previous version is deployed again while no contract file has run', async () => {
  await git('checkout', '--quiet', 'first-day')
  await inUse(year, clients, () => deployed(year))
  expect(await migrationLog(year, 'home')).toMatch(
    /The database has the migration \w+\.expand of a newer version\. This one can work with it\n/,
  )
  const { city, rate } = await ask(year, 'GET', `/home/${clients.home}`, clients.headers)
  expect({ city, rate }).toEqual({ city: undefined, rate: 90 })
  await expectNothingLost()
})

test(`then the newer one, in which ${named(changes.OTHER_SERVICES)}`, async () => {
  await git('checkout', '--quiet', 'spring')
  await generate(changes.OTHER_SERVICES)
  await inUse(year, clients, () => deployed(year))
  // The code that ran was that of the first day.
  expect(await migrationLog(year, 'home')).toContain(
    'add_city_to_home.contract.sql waits for the next deployment',
  )
  expect((await ask(year, 'GET', `/home/${clients.home}`, clients.headers))['city']).toBe('Leiden')
  expect((await ask(year, 'GET', `/host/${clients.host}`, clients.headers))['phone']).toBe('')
  for (const note of ['Mild', 'Wet'])
    await ask(year, 'POST', '/note', clients.headers, { text: note, home: clients.home })
  await expectNothingLost()
})

test(named(changes.SUMMER), async () => {
  await generate(changes.SUMMER)
  await edit('review', 'change_stars_of_review.expand.sql', (sql) =>
    sql.replace('"review__stars__before"::text;', `repeat('*', "review__stars__before");`),
  )
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'Summer')
  await git('tag', 'summer')
  await inUse(year, clients, () => deployed(year))
  expect(await migrationLog(year, 'home')).toContain('add_city_to_home.contract.sql in ')
  const rates = `SELECT sum(nightly_rate) FROM home WHERE address LIKE 'Street %'`
  expect(await query(year, 'home', rates)).toBe(String((ROWS * (ROWS + 1)) / 2))
  const { ReviewList } = await ask(year, 'GET', '/review/all', clients.headers)
  expect((ReviewList as { stars: string }[]).map(({ stars }) => stars)).toEqual(['*', '***', '*****'])
  await ask(year, 'POST', `/home/${clients.home}/photo`, clients.headers, { caption: 'Front' })
  await expectNothingLost()
})

test('after a contract file has run, the version before it is refused, and what runs goes on', async () => {
  await git('checkout', '--quiet', 'first-day')
  await inUse(year, clients, async () => {
    const { status, stderr } = await year.script()
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /The database has the migration \w+\.expand of a newer version, and this version cannot work with it\n/,
    )
  })
  await git('checkout', '--quiet', 'summer')
  expect((await ask(year, 'GET', `/home/${clients.home}`, clients.headers))['nightlyRate']).toBe(90)
})

test(`${named(changes.AUTUMN)}: first against rows that violate them`, async () => {
  const made = await portico(year.directory, 'migration', 'new', 'home', 'home_by_beds')
  const file = path.join(year.directory, made.trim())
  await writeFile(file, `${await readFile(file, 'utf8')}CREATE INDEX home_by_beds ON home (beds);\n`)
  await generate(changes.AUTUMN)
  await inUse(year, clients, async () => {
    const { status, stderr } = await year.script()
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /: Rows of home have values of beds that are no longer allowed \(3\): [-0-9a-f]{36}, /,
    )
  })
  const ids = await query(year, 'home', 'SELECT id FROM home WHERE beds > 10 ORDER BY id')
  for (const [index, id] of ids.split('\n').entries())
    await ask(year, 'PUT', `/home/${id}`, clients.headers, home(`Street ${index + 1}`, clients.host))
  await inUse(year, clients, async () => {
    await deployed(year)
    await deployed(year, 'migrate')
  })
  await expectSchemas(year, OURS)
  await expectNothingLost()
  const pictures = await ask(year, 'GET', `/home/${clients.home}/picture/all`, clients.headers)
  expect(pictures['PictureList']).toMatchObject([{ caption: 'Front' }])
})

test(named(changes.WINTER), async () => {
  const { id } = await ask(year, 'POST', '/home', clients.headers, home('Before', clients.host))
  await generate(changes.WINTER)
  await inUse(year, clients, () => deployed(year))
  const { price, kind, district, createdAt } = await ask(year, 'GET', `/home/${String(id)}`, clients.headers)
  expect({ price, kind, district }).toEqual({ price: '50.00', kind: 'house', district: null })
  expect(Math.abs(Date.parse(String(createdAt)) - Date.now())).toBeLessThan(600_000)
  const boat = { ...home('Boat', clients.host), kind: 'boat', price: '1.50' }
  const created = await ask(year, 'POST', '/home', clients.headers, boat)
  const { HomeList } = await ask(year, 'GET', '/home/all?kind=boat&sort=-price', clients.headers)
  expect(HomeList).toMatchObject([{ id: created['id'], price: '1.50' }])
  const { NoteList } = await ask(year, 'GET', '/note/all', clients.headers)
  expect(NoteList).toMatchObject([{ text: 'Mild' }, { text: 'Wet' }])
  expect(await year.containers('review')).toEqual([])
  expect((await fetch(`http://${year.gateway}/api/review/all`)).status).toBe(404)
  await expectNothingLost()
})

test(named(changes.NEW_YEAR), async () => {
  await query(year, 'home', `UPDATE home SET kind = 'flat' WHERE kind = 'boat'`)
  await generate(changes.NEW_YEAR)
  await inUse(year, clients, () => deployed(year))
  const { ReviewList } = await ask(year, 'GET', '/review/all', clients.headers)
  expect(ReviewList).toHaveLength(3)
  const { MemoList } = await ask(year, 'GET', '/memo/all', clients.headers)
  expect(MemoList).toMatchObject([{ text: 'Mild' }, { text: 'Wet' }])
  const { HomeList } = await ask(year, 'GET', '/home/all?kind=flat&sort=price&limit=1', clients.headers)
  expect(HomeList).toMatchObject([{ address: 'Boat', price: '1.5000' }])
  const streets = `SELECT count(*) FROM home WHERE address LIKE 'Street %' AND district = 'Centre'`
  expect(await query(year, 'home', streets)).toBe(`${ROWS}`)
  await expectNothingLost()
})

test(named(changes.WITHOUT_TIMES), async () => {
  await generate(changes.WITHOUT_TIMES)
  await inUse(year, clients, async () => {
    await deployed(year)
    await deployed(year, 'migrate')
  })
  await expectSchemas(year, OURS)
  await expectNothingLost()
  const { HomeList } = await ask(year, 'GET', '/home/all?form=flat&sort=price&limit=1', clients.headers)
  expect(HomeList).toMatchObject([{ address: 'Boat', form: 'flat' }])
})

test('at the end the platform does what its definition says', async () => {
  const { results } = await year.check()
  expect(resultLines(results, PAINT, true)).toEqual([])
  expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
})
