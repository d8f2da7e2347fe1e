import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EmbeddedPlatform } from '../../../src/dev/platform.ts'
import { call, createWorkplace, NOTES, until, type Workplace } from '../../dev/run-platform.ts'

/** A `setup.go` whose service answers with a text. */
const setupWith = (text: string, also = ''): string => `package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/tiny/internal/platform"
)

func setup(_ context.Context, _ *Env, router *platform.Router) error {
	router.Handle("GET /note/x/text", func(w http.ResponseWriter, _ *http.Request) error {
		return platform.JSON(w, http.StatusOK, map[string]string{"text": "${text}"})
	})
	fmt.Println("set up at", time.Now())
${also}	return nil
}
`

let place: Workplace
let platform: EmbeddedPlatform
let setup: string

beforeAll(async () => {
  place = await createWorkplace(NOTES.replace('{}', '{ #language(go); }'))
  setup = path.join(place.output, 'note/setup.go')
  const first = await place.start()
  await first.stop()
})
afterAll(() => place.close())

async function answer(): Promise<unknown> {
  return (await call(platform, 'GET', '/api/note/x/text')).body['text']
}

/** Saves `setup.go` and waits until the platform runs it. */
async function save(text: string, content = setupWith(text)): Promise<void> {
  place.events.length = 0
  await writeFile(setup, content)
  await until(async () => (await answer()) === text)
}

test('what is saved while services start is loaded after that', async () => {
  await writeFile(setup, setupWith('first', '\ttime.Sleep(time.Second)\n'))
  let isSaved = false
  platform = await place.start({
    watch: true,
    onEvent: (event) => {
      place.events.push(event)
      if (isSaved || event.kind !== 'line') return
      isSaved = true
      writeFileSync(setup, setupWith('second'))
    },
  })
  await until(async () => (await answer()) === 'second')
})

test('a save is built and served, without a request that fails', async ({ annotate }) => {
  const statuses = new Set<number>()
  const began = performance.now()
  const load = { isOver: false }
  const saved = save('third').finally(() => (load.isOver = true))
  while (!load.isOver) statuses.add((await call(platform, 'GET', '/api/note/all')).status)
  await saved
  await annotate(`Served after ${Math.round(performance.now() - began)} ms.`)
  expect([...statuses]).toEqual([200])
})

test('the compiler’s errors are shown with their positions, and the previous version keeps running', async () => {
  place.events.length = 0
  await writeFile(setup, setupWith('broken', '\tvar unused int\n\tmissing()\n'))
  const { service, text } = await place.event('problem')
  expect([service, text.split('\n')]).toEqual([
    'note',
    [
      'Failed to start: its code does not compile:',
      'note/setup.go:17:6: declared and not used: unused',
      'note/setup.go:18:2: undefined: missing',
      'The previous version keeps running.',
    ],
  ])
  expect(await answer()).toBe('third')
  await save('fourth')
})

test('a save during a build is built after it', async () => {
  const { PATH } = process.env
  const go = execFileSync('sh', ['-c', 'command -v go'], { encoding: 'utf8' }).trim()
  const programs = path.join(place.directory, 'bin')
  const built = path.join(place.directory, 'built')
  await mkdir(programs)
  // Has read the file a second before it ends.
  const slow = `#!/bin/sh\n'${go}' "$@" || exit\nif [ "$1" = build ]; then touch '${built}'; sleep 1; fi\n`
  await writeFile(path.join(programs, 'go'), slow, { mode: 0o755 })
  process.env['PATH'] = `${programs}:${PATH}`
  try {
    await writeFile(setup, setupWith('fifth'))
    await until(() => existsSync(built))
    await save('sixth')
  } finally {
    process.env['PATH'] = PATH
  }
})
