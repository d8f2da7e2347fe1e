import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  definition,
  dev,
  directory,
  NOTES,
  output,
  PORTICO,
  postgresProcesses,
  run,
  useDev,
} from '../../dev/dev-process.ts'
import { until } from '../../dev/run-platform.ts'

useDev()

test('output of services is prefixed and cannot control the terminal', async () => {
  const first = dev(['--no-watch'])
  await first.gateway()
  first.child.kill('SIGTERM')
  await first.ended
  await writeFile(
    path.join(output, 'note/src/setup.ts'),
    `import type { Env } from './hooks.ts'\n\nexport default function setup(env: Env) {\n  env.log.warn({ count: 2, note: 'a\\u001b[2Jb' }, 'careful')\n  console.log('plain')\n}\n`,
  )
  const platform = dev(['--no-watch'])
  await platform.gateway()
  await until(() => platform.stderr().includes('plain'))
  expect(platform.stderr()).toMatch(/^note {4}\| careful count=2 note=ab$/m)
  expect(platform.stderr()).toMatch(/^note {4}\| plain$/m)
  expect(platform.stderr()).not.toContain('\u001b')
})

test('`-q` shows neither progress nor requests', async () => {
  const platform = dev(['-q', '--no-watch'])
  const gateway = await platform.gateway()
  await fetch(`http://${gateway}/api/note/all`)
  platform.child.kill('SIGTERM')
  expect(await platform.ended).toBe(0)
  expect([platform.stdout(), platform.stderr()]).toEqual([`GATEWAY_ENTRY=${gateway}\n`, ''])
})

test('a signal during the start stops everything', async () => {
  for (const moment of ['Creating the database', 'Starting the services']) {
    const platform = dev(['--fresh'])
    await until(() => platform.stderr().includes(moment))
    platform.child.kill('SIGTERM')
    expect(await platform.ended).toBe(0)
    expect(platform.stdout()).toBe('')
    await until(() => postgresProcesses().length === 0)
  }
})

test('the database ends with a killed process, and the next start finds the data', async () => {
  const platform = dev(['--no-watch'])
  const gateway = await platform.gateway()
  const { status } = await fetch(`http://${gateway}/api/note`, { method: 'POST', body: '{"text": "kept"}' })
  expect(status).toBe(201)
  expect(postgresProcesses().length).toBeGreaterThan(0)
  platform.child.kill('SIGKILL')
  expect(await platform.ended).toBe('SIGKILL')
  const again = dev(['--no-watch'])
  const list = await fetch(`http://${await again.gateway()}/api/note/all`)
  expect(await list.json()).toMatchObject({ NoteList: [{ text: 'kept' }] })
  again.child.kill('SIGKILL')
  await again.ended
  await until(() => postgresProcesses().length === 0)
})

test('it ends with the npm that started it, but not with a shell', async () => {
  await writeFile(
    path.join(directory, 'package.json'),
    JSON.stringify({
      scripts: {
        start: `exec '${process.execPath}' '${PORTICO}' dev test.portico -o out --port 0 --no-watch`,
      },
    }),
  )
  const npm = run('npm', ['start', '--silent'])
  await npm.gateway()
  npm.child.kill('SIGKILL')
  await until(() => postgresProcesses().length === 0)
  const command = `'${process.execPath}' '${PORTICO}' dev test.portico -o out --port 0 --no-watch & echo $! > pid; sleep 0.1`
  const shell = run('sh', ['-c', command])
  const gateway = await shell.gateway()
  expect((await fetch(`http://${gateway}/api/note/all`)).status).toBe(200)
  process.kill(Number(await readFile(path.join(directory, 'pid'), 'utf8')), 'SIGTERM')
  await until(() => postgresProcesses().length === 0)
})

test('a second dev in the same directory ends with 3 and names the first', async () => {
  const first = dev(['--no-watch'])
  await first.gateway()
  const second = dev()
  expect(await second.ended).toBe(3)
  expect(second.stderr()).toContain(
    `\`portico dev\` (process ${first.child.pid}) is already running in \`${path.relative(path.dirname(definition), output)}\``,
  )
})

test('a change that needs an answer ends with 2 without a terminal, and names --fresh', async () => {
  const first = dev(['--no-watch'])
  const body = JSON.stringify({ text: 'hello' })
  await fetch(`http://${await first.gateway()}/api/note`, { method: 'POST', body })
  first.child.kill('SIGTERM')
  await first.ended
  await writeFile(definition, NOTES.replace('text: string(100);', 'text: string(100); stars: int;'))
  const refused = dev(['--no-watch'])
  expect(await refused.ended).toBe(2)
  expect(refused.stderr()).toContain('  Value of `Note.stars` in the existing row (an integer from ')
  expect(refused.stderr()).toContain('`--fresh`')
  const fresh = dev(['--no-watch', '--fresh'])
  expect((await fetch(`http://${await fresh.gateway()}/api/note/all`)).status).toBe(200)
})

test('without Go, or with an older one, services in Go end with 3 before anything starts, and others run', async () => {
  await writeFile(definition, NOTES.replace('{}', '{ #language(go); #provider(kube); }'))
  const refused = dev([], { PATH: path.dirname(process.execPath) })
  expect(await refused.ended).toBe(3)
  expect(refused.stderr()).toBe(
    'error: Services in Go require the command `go`, which was not found\nhelp: install Go 1.26 or later from https://go.dev/dl\n',
  )
  await writeFile(path.join(directory, 'go'), '#!/bin/sh\necho go1.25.3\n', { mode: 0o755 })
  const outdated = dev([], { PATH: `${directory}:${path.dirname(process.execPath)}` })
  expect(await outdated.ended).toBe(3)
  expect(outdated.stderr()).toBe(
    'error: Services in Go require Go 1.26, but the installed version is 1.25\nhelp: install Go 1.26 or later from https://go.dev/dl\n',
  )
  expect(postgresProcesses()).toEqual([])
  const platform = dev(['--language', 'typescript', '--no-watch'])
  expect((await fetch(`http://${await platform.gateway()}/api/note/all`)).status).toBe(200)
})

test('a full disk ends with 3 and a message', async () => {
  const command = `mkdir small && mount -t tmpfs -o size=6m tmpfs small && exec '${process.execPath}' '${PORTICO}' dev '${definition}' -o small/out --port 0`
  const platform = run('unshare', ['-m', 'sh', '-c', command])
  expect(await platform.ended).toBe(3)
  expect(platform.stderr()).toMatch(/^error: .*(?:no disk space|no space (?:is )?left)/im)
})

test('SIGINT ends everything soon', async () => {
  const platform = dev()
  const gateway = await platform.gateway()
  await fetch(`http://${gateway}/api/note/all`)
  const began = performance.now()
  platform.child.kill('SIGINT')
  expect(await platform.ended).toBe(0)
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(postgresProcesses()).toEqual([])
})
