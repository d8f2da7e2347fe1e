import { afterEach, expect, test } from 'vitest'
import { openApiDocument } from '../../src/emit/openapi/document.ts'
import { createWorkplace, type Workplace } from './run-platform.ts'

const NOTES = 'Tiny: project {} Note: service { text: string(9); }'

let workplace: Workplace | undefined

afterEach(async () => {
  await workplace?.close()
})

test('the gateway serves the current OpenAPI document to everyone', async () => {
  workplace = await createWorkplace(NOTES)
  const platform = await workplace.start({ watch: true })
  const url = `http://${platform.gateway}/api/openapi.json`

  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual(openApiDocument(platform.platform()))

  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'))
  const post = await fetch(url, { method: 'POST', body: '{}' })
  expect([post.status, post.headers.get('allow'), await post.text()]).toEqual([
    405,
    'GET, HEAD',
    '{"message": "Method Not Allowed"}',
  ])
  expect((await fetch(`${url}/more`)).status).toBe(404)

  await workplace.define(`${NOTES} Task: service { done: bool; }`)
  await workplace.event('reloaded')
  expect(Object.keys(((await (await fetch(url)).json()) as { paths: object }).paths)).toContain('/api/task')
})

test('it can be turned off', async () => {
  workplace = await createWorkplace(NOTES)
  const platform = await workplace.start({ openApi: false })
  const answer = await fetch(`http://${platform.gateway}/api/openapi.json`)
  expect([answer.status, await answer.text()]).toEqual([404, '{"message": "Not Found"}'])
})
