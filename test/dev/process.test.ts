import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { definition, dev, NOTES, output, PORTICO, postgresProcesses, run, useDev } from './dev-process.ts'
import { until } from './run-platform.ts'

useDev()

test('standard output has only the gateway, and requests are shown with their status', async () => {
  const origin = 'https://app.example.com'
  const platform = dev(['--cors', `https://a.b, ${origin}`])
  const gateway = await platform.gateway()
  const list = await fetch(`http://${gateway}/api/note/all`, { headers: { origin } })
  expect([list.status, list.headers.get('access-control-allow-origin')]).toEqual([200, origin])
  expect((await fetch(`http://${gateway}/api/nothing`)).status).toBe(404)
  await until(() => platform.stderr().includes('/api/nothing'))
  expect(platform.stdout()).toBe(`GATEWAY_ENTRY=${gateway}\n`)
  expect(platform.stderr()).toMatch(
    /✔ Tiny is ready: 1 service, 6 endpoints \(\d+\.\d s\)\n {2}\/api\/note {2}6 endpoints\n/,
  )
  expect(platform.stderr()).toMatch(/gateway \| GET {4}\/api\/note\/all 200 [\d.]+ ms\n/)
  expect(platform.stderr()).toMatch(/gateway \| GET {4}\/api\/nothing 404 [\d.]+ ms\n/)
})

test('in a directory of its project, it runs that project, and names a service that does not start', async () => {
  expect(await run(process.execPath, [PORTICO, 'generate', definition, '-o', output]).ended).toBe(0)
  await writeFile(
    path.join(output, 'note/src/setup.ts'),
    "export default () => {\n  throw new Error('no key')\n}\n",
  )
  const place = path.join(output, 'note')
  const platform = run('sh', [
    '-c',
    'cd "$0" && exec "$@"',
    place,
    process.execPath,
    PORTICO,
    'dev',
    definition,
    '--port',
    '0',
  ])
  await platform.gateway()
  expect(existsSync(path.join(place, 'tiny'))).toBe(false)
  expect(platform.stderr()).toMatch(/note {3} \| Failed to start: Error: no key/)
  expect(platform.stderr()).toMatch(/✖ Tiny is running, but could not start note \(\d+\.\d s\)\n/)
})

test('SIGTERM ends everything soon', async () => {
  const platform = dev()
  const gateway = await platform.gateway()
  await fetch(`http://${gateway}/api/note/all`)
  const cache = path.join(output, '.portico/dev/compile-cache')
  // What the service has compiled is there for the others as soon as it is ready.
  await until(async () => (await readdir(cache, { recursive: true })).length > 10)
  await writeFile(path.join(output, 'note/src/setup.ts'), 'export default () => {}\n')
  await until(() => platform.stderr().includes('Reloaded note'))
  // For each set of V8's flags, Node has a directory. Code in another one would be compiled again.
  expect(await readdir(cache)).toHaveLength(1)
  const began = performance.now()
  platform.child.kill('SIGTERM')
  expect(await platform.ended).toBe(0)
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(postgresProcesses()).toEqual([])
})

test('a definition with errors ends with 1 and its diagnostics', async () => {
  await writeFile(definition, NOTES.replace('string', 'strin'))
  const platform = dev()
  expect(await platform.ended).toBe(1)
  expect(platform.stderr()).toMatch(/^error\[unknown-type\]: [^]* = help: did you mean `string`\?\n/)
  expect(platform.stdout()).toBe('')
})

test('a port in use ends with 3', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const { port } = blocker.address() as AddressInfo
  const platform = run(process.execPath, [PORTICO, 'dev', definition, '-o', output, '--port', String(port)])
  expect(await platform.ended).toBe(3)
  expect(platform.stderr()).toMatch(
    new RegExp(`^error: Port ${port} is already in use\\n.*choose another port with \`--port\``, 'm'),
  )
  await new Promise((resolve) => blocker.close(resolve))
})

test('an output directory that is not writable ends with 3 and a message', async () => {
  await writeFile(output, 'a file')
  const platform = dev()
  expect(await platform.ended).toBe(3)
  expect(platform.stderr()).toMatch(/^error: `out` is not a directory$/m)
  await rm(output)
  const nowhere = run(process.execPath, [PORTICO, 'dev', definition, '-o', '/sys/portico'])
  expect(await nowhere.ended).toBe(3)
  expect(nowhere.stderr()).toMatch(/^error: Could not create `\/sys\/portico`: \S.*\.$/m)
  expect(nowhere.stderr()).not.toMatch(/ {4}at /)
})

test('without a terminal, options answer about the definition at the start, and only about that', async () => {
  const first = dev()
  const created = await fetch(`http://${await first.gateway()}/api/note`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text":"lost"}',
  })
  expect(created.status).toBe(201)
  first.child.kill('SIGTERM')
  await first.ended
  const changed = NOTES.replace('text: string(100);', 'body: string(100); rank: int(max: 9);')
  await writeFile(definition, changed)
  const refused = dev()
  expect(await refused.ended).toBe(2)
  expect(refused.stderr()).toContain(`error: The changed definition needs answers:
  What is \`Note.body\`? The new name of \`text\` / A new attribute
    write \`@was(text)\` after its type, or pass \`--not-renamed Note.text --allow-data-loss Note.text\`
  Value of \`Note.rank\` in the existing row (an integer from -2147483648 to 9)
    pass \`--backfill Note.rank=<value>\`
help: run \`portico dev\` on a terminal, which asks, or run with \`--fresh\` to delete all data
`)
  const listed = dev(['--not-renamed', 'Note.text', '--allow-data-loss'])
  expect(await listed.ended).toBe(2)
  expect(listed.stderr()).toContain(
    '  Delete `Note.text` in 1 row? This cannot be undone\n    pass `--allow-data-loss Note.text`\n',
  )
  const removal = ['--not-renamed', 'Note.text', '--allow-data-loss', 'Note.text']
  const options = [...removal, '--backfill', 'Note.body=new']
  const wrong = dev([...options, '--backfill', 'Note.rank=10'])
  expect(await wrong.ended).toBe(2)
  expect(wrong.stderr()).toContain(
    'error: Invalid value `Note.rank=10` for `--backfill`\nhelp: use an integer from -2147483648 to 9\n',
  )
  const platform = dev([...options, '--backfill', 'Note.rank=3'])
  const list = async () => (await fetch(`http://${await platform.gateway()}/api/note/all`)).json()
  expect(await list()).toMatchObject({ NoteList: [{ body: 'new', rank: 3 }] })
  await writeFile(definition, changed.replace('rank: int(max: 9);', ''))
  await until(() => platform.stderr().includes('The platform keeps running unchanged'))
  expect(platform.stderr()).toContain(`The changed definition needs answers:
  Delete \`Note.rank\` in 1 row? This cannot be undone
    pass \`--allow-data-loss Note.rank\`
`)
  expect(await list()).toMatchObject({ NoteList: [{ body: 'new', rank: 3 }] })
}, 120_000)
