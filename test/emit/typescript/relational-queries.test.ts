import { expect, test } from 'vitest'
import { idOf, runPlatform } from './running-platform.ts'

const DEFINITION = `
P: project {}
Home: service {
  name: string;
  Photo: struct { image: data(5M); takenAt: datetime; day: date; at: time; rating: float; #timestamps; }
}`
const SETUP = `import type { Env, Router } from './hooks.ts'
import { publicPhoto } from './entities.ts'

export default function setup({ datastore }: Env, router: Router): void {
  router.get('/home/photos/nested', async (c) => {
    const homes = await datastore.db.query.home.findMany({ with: { photoList: true } })
    return c.json(homes.flatMap(({ photoList }) => photoList.map(publicPhoto)))
  })
}
`

test('relational queries read entries with the values that the endpoints respond with', async () => {
  const platform = await runPlatform(DEFINITION, { setup: { home: SETUP } })
  const home = idOf(await platform.call('POST', '/home', { body: { name: 'Hut' } }))
  const body = {
    image: 'AP9c',
    takenAt: '2026-07-01T12:00:00.123456+02:00',
    day: '2026-07-01',
    at: '12:00:00.5',
    rating: 0.1,
  }
  const photo = await platform.call('POST', `/home/${home}/photo`, { body })
  expect((await platform.call('GET', '/home/photos/nested')).json).toEqual([photo.json])
  await platform.stop()
})
