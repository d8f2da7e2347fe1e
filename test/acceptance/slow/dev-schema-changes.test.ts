import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { UNCHANGED } from '../../../src/dev/events.ts'
import type { OpenQuestions } from '../../../src/dev/questions.ts'
import { call, createWorkplace, until, type Workplace } from '../../dev/run-platform.ts'

let place: Workplace

afterEach(async () => {
  await place.close()
})

const HOME = 'rate: int(max: 99, min: 1); #enumerable;'
const ROOM = 'Room: struct { size: int; #enumerable; }'

function definitionOf(members: string): string {
  return `Tiny: project {}\nHome: service { ${members} }\nNote: service { text: string; #enumerable; }\n`
}

/** Answers questions, in this order, and records them. An answer is a text, a choice or, for yes and no, a boolean. */
function answering(answers: (string | boolean)[]): { asked: string[]; questions: OpenQuestions } {
  const asked: string[] = []
  const next = async <Kind extends string | boolean>(message: string, fallback: Kind): Promise<Kind> => {
    asked.push(message)
    return (answers.shift() as Kind | undefined) ?? fallback
  }
  return {
    asked,
    questions: () => ({
      text: ({ message }) => next(message, ''),
      confirm: ({ message }) => next(message, false),
      choose: ({ message, choices }) => next(`${message} ${choices.map(({ name }) => name).join(' / ')}`, ''),
    }),
  }
}

/** Starts a platform with one home, whose rate is 5. */
async function startWithHome(questions?: OpenQuestions, members = HOME) {
  place = await createWorkplace(definitionOf(members))
  const platform = await place.start({ watch: true, ...(questions === undefined ? {} : { questions }) })
  const { body } = await call(platform, 'POST', '/api/home', { body: { rate: 5 } })
  await call(platform, 'POST', '/api/note', { body: { text: 'kept' } })
  const homes = async () => (await call(platform, 'GET', '/api/home/all')).body['HomeList']
  return { platform, id: String(body['id']), homes }
}

/** Saves a definition and waits until it runs. */
async function save(members: string): Promise<void> {
  place.events.length = 0
  await place.define(definitionOf(members))
  await place.event('reloaded')
}

/** Saves a definition that is rejected, and returns the reason. */
async function saveRejected(members: string): Promise<string> {
  place.events.length = 0
  await place.define(definitionOf(members))
  const { text } = await place.event('problem')
  return text
}

test('rows get the value that the user is asked for, and wider and narrower bounds keep them', async () => {
  const { asked, questions } = answering(['Unknown'])
  const { platform, id, homes } = await startWithHome(questions)
  await save(`${HOME} city: string(80, 1); ${ROOM}`)
  expect(asked).toEqual(['Value of `Home.city` in the existing row (a string of 1 to 80 characters)'])
  expect(await homes()).toEqual([{ id, rate: 5, city: 'Unknown' }])
  expect((await call(platform, 'POST', '/api/home', { body: { rate: 6 } })).status).toBe(400)
  await save(`${HOME.replace('99', '500')} city: string(80, 1); ${ROOM}`)
  const dear = await call(platform, 'POST', '/api/home', { body: { rate: 500, city: 'Oslo' } })
  expect(dear.status).toBe(201)

  const problem = await saveRejected(`${HOME.replace('99', '50')} city: string(80, 1); ${ROOM}`)
  expect(problem.split('\n')).toEqual([
    `Could not change the database of \`home\`: Rows of home have values of rate that are no longer allowed (1): ${String(dear.body['id'])}`,
    'help: change the data or the definition, or run with `--fresh` to delete all data',
    UNCHANGED,
  ])
  expect((await call(platform, 'PUT', `/api/home/${id}`, { body: { rate: 400, city: 'Rome' } })).status).toBe(
    200,
  )
  await call(platform, 'DELETE', `/api/home/${String(dear.body['id'])}`)
  await call(platform, 'PUT', `/api/home/${id}`, { body: { rate: 4, city: 'Rome' } })
  await save(`${HOME.replace('99', '50')} city: string(80, 1); ${ROOM}\n`)
  expect(await homes()).toEqual([{ id, rate: 4, city: 'Rome' }])
  expect((await call(platform, 'GET', '/api/note/all')).body).toMatchObject({ NoteList: [{ text: 'kept' }] })
  expect(asked).toHaveLength(1)
})

test('a renamed attribute keeps its values, with `@was` or with an answer', async () => {
  const { asked, questions } = answering(['rate', '', '7'])
  const { id, homes } = await startWithHome(questions)
  await save(HOME.replace('rate', 'nightlyRate'))
  expect(asked).toEqual(['What is `Home.nightlyRate`? The new name of `rate` / A new attribute'])
  expect(await place.event('notice')).toMatchObject({
    text: 'Add `@was(rate)` to `nightlyRate` in `Home`, so that other databases rename the column too.',
  })
  expect(await homes()).toEqual([{ id, nightlyRate: 5 }])
  await save('price: int(max: 99, min: 1) @was(nightlyRate); #enumerable;')
  expect(await homes()).toEqual([{ id, price: 5 }])
  expect(asked).toHaveLength(1)
  // A new attribute, whose old values are not deleted without a yes.
  expect(await saveRejected('beds: int(max: 9, min: 1); #enumerable;')).toContain(UNCHANGED)
  expect(asked.slice(1)).toEqual([
    'What is `Home.beds`? The new name of `price` / A new attribute',
    'Value of `Home.beds` in the existing row (an integer from 1 to 9)',
    'Delete `Home.price` in 1 row? This cannot be undone',
  ])
  expect(await homes()).toEqual([{ id, price: 5 }])
})

test('requests that come during a change wait for the next version', async () => {
  const { platform } = await startWithHome()
  const statuses = new Set<number>()
  const over = new AbortController()
  const clients = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) statuses.add((await call(platform, 'GET', '/api/home/all')).status)
  })
  const names = ['rate', 'nightlyRate', 'price', 'amount', 'rate']
  for (const [index, name] of names.entries())
    if (index > 0) await save(HOME.replace('rate', name).replace(';', ` @was(${names[index - 1]});`))
  over.abort()
  await Promise.all(clients)
  expect([...statuses]).toEqual([200])
})

test('rows are deleted only after a yes, and nothing is asked about empty tables', async () => {
  const { asked, questions } = answering([false, false, true])
  const { platform, id } = await startWithHome(questions, `${HOME} ${ROOM}`)
  const rooms = `/api/home/${id}/room`
  await save(`${HOME} ${ROOM.replace('size: int;', 'size: int; label: string;')}`)
  await save(`${HOME} ${ROOM.replace('size: int;', 'area: float; code: string @unique;')}`)
  expect(asked).toEqual([])
  await call(platform, 'POST', rooms, { body: { area: 9, code: 'a' } })
  expect(await saveRejected(HOME)).toBe(
    `Nothing was deleted\nhelp: undo the change in the definition, or run with \`--fresh\` to delete all data\n${UNCHANGED}`,
  )
  expect(await saveRejected(`${HOME} ${ROOM.replace('Room', 'Chamber')}`)).toContain(
    '\nhelp: write `#was(Room)` in `Home.Chamber` if it was renamed, undo the change in the definition, or run with',
  )
  expect((await call(platform, 'GET', `${rooms}/all`)).body).toMatchObject({ RoomList: [{ area: 9 }] })
  await save(`${HOME}\n`)
  expect((await call(platform, 'GET', `${rooms}/all`)).status).toBe(404)
  expect((await call(platform, 'GET', `/api/home/${id}`)).body).toEqual({ id, rate: 5 })
  expect(asked).toEqual(Array(3).fill('Delete the 1 row of `Home.Room`? This cannot be undone'))
})

test('a change that needs SQL is rejected, with a sentence for each attribute', async () => {
  const { asked, questions } = answering([])
  const { id, homes } = await startWithHome(questions)
  expect(await saveRejected(`${HOME} code: string(9) @unique; image: data(9);`)).toBe(
    [
      '`Home.code` needs a value of its own in the existing row',
      '`Home.image` needs a value of its own in the existing row',
      'help: make it optional, give each row a value, then make it required, or run with `--fresh` to delete all data. For deployed databases, `portico generate` writes a migration with a place for your SQL',
      UNCHANGED,
    ].join('\n'),
  )
  expect(await saveRejected('price: string(9) @was(rate); #enumerable;')).toBe(
    [
      '`Home.price` has another type than `Home.rate`, from which it was renamed: rename it with the old type first, then change the type',
      'help: undo the change, or run with `--fresh` to delete all data',
      UNCHANGED,
    ].join('\n'),
  )
  expect(await homes()).toEqual([{ id, rate: 5 }])
  expect(asked).toEqual([])
})

test('a type changes, and changes back, if it can hold every value', async () => {
  const { asked, questions } = answering([])
  const { platform, id, homes } = await startWithHome(questions)
  for (const [type, rate] of [
    ['string(9)', '5'],
    ['float', 5],
    ['decimal', '5.00'],
    ['string(9)', '5.00'],
    ['decimal', '5.00'],
    ['int', 5],
    ['float', 5],
  ] as const) {
    await save(`rate: ${type}; #enumerable;`)
    expect(await homes()).toEqual([{ id, rate }])
  }
  await call(platform, 'PUT', `/api/home/${id}`, { body: { rate: 5.25 } })
  const problem = 'Could not change the database of `home`: '
  expect(await saveRejected(HOME)).toContain(
    `${problem}Rows of home have values of rate that change when they are converted (1): ${id}`,
  )
  expect(await saveRejected('rate: decimal(scale: 1); #enumerable;')).toContain(
    `${problem}Rows of home have values of rate that change when they are converted (1): ${id}`,
  )
  await save('rate: string(9); #enumerable;')
  await call(platform, 'PUT', `/api/home/${id}`, { body: { rate: '007' } })
  expect(await saveRejected('rate: int; #enumerable;')).toContain('change when they are converted (1)')
  expect(await homes()).toEqual([{ id, rate: '007' }])
  expect(asked).toEqual([])
})

test('rows without a value get the one that the user is asked for when it becomes required', async () => {
  const { asked, questions } = answering(['Oslo', 'code'])
  const { platform, id, homes } = await startWithHome(
    questions,
    `${HOME} city: string?; code: string? @unique;`,
  )
  await call(platform, 'POST', '/api/home', { body: { rate: 6, city: 'Rome' } })
  await save(`${HOME} town: string @was(city); code: string? @unique;`)
  expect(asked).toEqual(['Value of `Home.town` in the row without one (a string)'])
  expect(await homes()).toEqual([
    { id, rate: 5, town: 'Oslo', code: null },
    expect.objectContaining({ rate: 6, town: 'Rome' }),
  ])
  // One value would not be unique.
  expect(await saveRejected(`${HOME} town: string; code: string @unique;`)).toContain(
    `Rows of home have no value for code (2): ${id}, `,
  )
  expect(asked).toHaveLength(1)
})

test('a service that does not start with the change is not reported as reloaded', async () => {
  await startWithHome()
  await place.setUp('home', `throw new Error('no homes')`)
  await place.event('problem')
  await save(`${HOME} ${ROOM}`)
  expect(await place.event('reloaded')).toMatchObject({ services: [], stopped: [], failed: ['home'] })
})

test('the time of a reload is without that of the answer', async () => {
  const answerMs = 5000
  await startWithHome(() => ({
    text: async () => {
      await delay(answerMs)
      return 'Oslo'
    },
    choose: async () => '',
    confirm: async () => true,
  }))
  await save(`${HOME} city: string(80);`)
  expect((await place.event('reloaded')).milliseconds).toBeLessThan(answerMs)
})

test('a newer save withdraws a question', async () => {
  const asked: string[] = []
  const { id, homes } = await startWithHome((signal) => ({
    text: async () => 'never',
    choose: async () => '',
    confirm: ({ message }) => {
      asked.push(message)
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    },
  }))
  await place.define(definitionOf('name: bool; #enumerable;').replace('name: bool; ', ''))
  await until(() => asked.length === 1)
  // The platform works while the question is open, and code is reloaded.
  expect(await homes()).toEqual([{ id, rate: 5 }])
  await place.setUp('note', `  router.get('/note/x/y', (c) => c.text('new'))`)
  await place.event('reloaded', ({ services }) => services.includes('note'))
  await save(HOME.replace('99', '100'))
  expect(await place.event('notice')).toMatchObject({ text: 'The definition was saved again' })
  expect(await homes()).toEqual([{ id, rate: 5 }])
  expect(asked).toEqual(['Delete `Home.rate` in 1 row? This cannot be undone'])
})

test('an answer is not for a definition that was saved meanwhile, also at the start', async () => {
  const first = await startWithHome()
  await first.platform.stop()
  await place.define(definitionOf('beds: int(max: 9); #enumerable;'))
  const asked: string[] = []
  const platform = await place.start({
    questions: () => ({
      text: async () => '1',
      choose: async ({ message }) => {
        asked.push(message)
        await place.define(definitionOf(`${HOME} city: string(9);`))
        return ''
      },
      confirm: async () => true,
    }),
  })
  expect(asked).toEqual(['What is `Home.beds`?'])
  expect((await call(platform, 'GET', '/api/home/all')).body).toEqual({
    HomeList: [{ id: first.id, rate: 5, city: '1' }],
  })
})

test('without a terminal the last good platform runs on, and a start lists the questions', async () => {
  const { platform, id, homes } = await startWithHome()
  const changed = 'nightlyRate: int(max: 99); city: string(80); #enumerable;'
  const list = [
    'The changed definition needs answers:',
    '  What is `Home.nightlyRate`? The new name of `rate` / A new attribute',
    '    write `@was(rate)` after its type, or pass `--not-renamed Home.rate --allow-data-loss Home.rate`',
    '  Value of `Home.city` in the existing row (a string of at most 80 characters)',
    '    pass `--backfill Home.city=<value>`',
  ]
  const help = 'run `portico dev` on a terminal, which asks, or run with `--fresh` to delete all data'
  expect(await saveRejected(changed)).toBe([...list, `help: ${help}`, UNCHANGED].join('\n'))
  expect(await homes()).toEqual([{ id, rate: 5 }])
  await save(`${HOME} Room: struct { size: int; }`)
  await platform.stop()
  await place.define(definitionOf(changed))
  await expect(place.start()).rejects.toMatchObject({ kind: 'usage', message: list.join('\n'), help })
})

test('a renamed service keeps its rows and the code of the user, however often it is renamed', async () => {
  place = await createWorkplace(definitionOf(HOME))
  await place.start().then((first) => first.stop())
  await place.setUp('home', `  env.hooks.beforeCreate((_env, _request, home) => { home.rate += 1 })`)
  const platform = await place.start({ watch: true })
  const { id } = (await call(platform, 'POST', '/api/home', { body: { rate: 4 } })).body
  for (const [name, was] of [
    ['House', '#was(Home);'],
    ['Villa', '#was(Home);'],
    ['Home', ''],
  ] as const) {
    place.events.length = 0
    await place.define(definitionOf(`${HOME} ${was}`).replace('Home:', `${name}:`))
    await place.event('reloaded')
    const directory = name.toLowerCase()
    expect((await call(platform, 'GET', `/api/${directory}/all`)).body).toMatchObject({
      [`${name}List`]: expect.arrayContaining([{ id, rate: 5 }]),
    })
    const created = await call(platform, 'POST', `/api/${directory}`, { body: { rate: 6 } })
    const added = await call(platform, 'GET', `/api/${directory}/${String(created.body['id'])}`)
    expect(added.body['rate']).toBe(7)
    expect((await place.event('notice')).text).toMatch(new RegExp(`^Moved \\w+/ -> ${directory}/$`))
  }
})

test('a renamed service without `#was` starts without rows, and a notice says how to keep them', async () => {
  const { platform } = await startWithHome()
  place.events.length = 0
  await place.define(definitionOf(HOME).replace('Home:', 'House:'))
  expect(await place.event('notice')).toMatchObject({
    text: '`Home` was removed, and its data is kept: write `#was(Home)` in `House` if it was renamed',
  })
  await place.event('reloaded')
  expect((await call(platform, 'GET', '/api/house/all')).body).toEqual({ HouseList: [] })
  place.events.length = 0
  await place.define(definitionOf(`${HOME} #was(Home);`).replace('Home:', 'House:'))
  await place.event('reloaded')
  expect((await call(platform, 'GET', '/api/house/all')).body).toMatchObject({ HouseList: [{ rate: 5 }] })
})

test('a renamed service cannot lose its `#was`', async () => {
  const { platform } = await startWithHome()
  await platform.stop()
  await place.define(definitionOf(`${HOME} #was(Home);`).replace('Home:', 'House:'))
  await place.start().then((renamed) => renamed.stop())
  const another = `Home: service { ${HOME} }\n`
  for (const more of ['', another]) {
    await place.define(definitionOf(HOME).replace('Home:', 'House:') + more)
    await expect(place.start()).rejects.toMatchObject({
      kind: 'usage',
      message: '`House` was renamed, and its data is in the database `home`',
      help: 'restore its `#was`, which names the database, or run with `--fresh` to delete all data',
    })
  }
})
