import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { call, createWorkplace, NOTES, until, type Workplace } from '../../dev/run-platform.ts'
import { outcomeOf } from '../containers/docker.ts'

interface SharedCode {
  /** The files of the project that use a greeting. */
  readonly files: (greeting: string) => Readonly<Record<string, string>>
  /** The file with the greeting. */
  readonly file: string
  /** The commands that check and test it, which do not need the packages of the project. */
  readonly commands: readonly string[]
}

const LANGUAGES: Readonly<Record<string, SharedCode>> = {
  typescript: {
    file: 'shared/text/greeting.ts',
    files: (greeting) => ({
      'shared/text/greeting.ts': `export const greeting: string = '${greeting}'\n`,
      'shared/test/greeting.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { greeting } from '#shared/text/greeting.ts'

test('greets', () => assert.equal(greeting, '${greeting}'))
`,
      'note/src/setup.ts': `import { greeting } from '#shared/text/greeting.ts'
import type { Env, Router } from './hooks.ts'

export default function setup(_env: Env, router: Router) {
  router.get('/note/x/text', (c) => c.json({ text: greeting }))
}
`,
    }),
    commands: ["node --test 'shared/test/*.test.ts'"],
  },
  go: {
    file: 'shared/text/greeting.go',
    files: (greeting) => ({
      'shared/text/greeting.go': `// Package text has texts.
package text

// Greeting is a greeting.
const Greeting = "${greeting}"
`,
      'shared/text/greeting_test.go': `package text

import "testing"

func TestGreeting(t *testing.T) {
	if Greeting != "${greeting}" {
		t.Fatal(Greeting)
	}
}
`,
      'note/setup.go': `package main

import (
	"context"
	"net/http"

	"example.com/tiny/internal/platform"
	"example.com/tiny/shared/text"
)

func setup(_ context.Context, _ *Env, router *platform.Router) error {
	router.Handle("GET /note/x/text", func(w http.ResponseWriter, _ *http.Request) error {
		return platform.JSON(w, http.StatusOK, map[string]string{"text": text.Greeting})
	})
	return nil
}
`,
    }),
    commands: ['go vet ./shared/... ./note', 'go test ./shared/...'],
  },
}

let place: Workplace

afterEach(() => place.close())

test.each(Object.entries(LANGUAGES))(
  'code in shared/ is used, watched and tested: %s',
  async (language, { files, file, commands }) => {
    place = await createWorkplace(NOTES.replace('{}', `{ #language(${language}); }`))
    const first = await place.start()
    await first.stop()
    for (const [name, content] of Object.entries(files('hello'))) {
      await mkdir(path.dirname(path.join(place.output, name)), { recursive: true })
      await writeFile(path.join(place.output, name), content)
    }
    for (const command of commands) {
      const { status, stdout, stderr } = await outcomeOf('sh', ['-c', command], { cwd: place.output })
      expect(status, stdout + stderr).toBe(0)
    }
    const platform = await place.start({ watch: true })
    const text = async () => (await call(platform, 'GET', '/api/note/x/text')).body['text']
    expect(await text()).toBe('hello')
    await writeFile(path.join(place.output, file), files('good day')[file] ?? '')
    await until(async () => (await text()) === 'good day')
  },
)
