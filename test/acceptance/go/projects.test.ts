import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile } from '../../../src/compile.ts'
import type { GeneratedFile } from '../../../src/emit/contract.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { GOLDEN, readInput } from '../../goldens/cases.ts'
import { postgresUrl } from '../../postgres.ts'
import { platformOf } from '../../emit/platform.ts'
import { writeFiles } from '../../emit/service-process.ts'
import { runGo } from './run-go.ts'

// Every golden definition in Go is what its compiler, its formatter and vet expect.

const directories = new Map<string, string>()
const cases = readdirSync(GOLDEN).sort()

beforeAll(async () => {
  await Promise.all(
    cases.map(async (name) => {
      const { platform } = compile(readInput(name), { language: 'go' })
      if (platform === undefined) throw new Error(`${name} has errors`)
      const project = emitProject(platform)
      const files = project.filter(({ path }) => /\.go$|^go\.(?:mod|sum)$/.test(path))
      const examples = examplesIn(project)
      expect(examples, name).toHaveLength(2)
      directories.set(name, await writeFiles([...files, ...examples]))
    }),
  )
})

/** The Go that README.md and AGENTS.md show, each as a function of its own next to the file that it is about. */
function examplesIn(project: readonly GeneratedFile[]): GeneratedFile[] {
  return project.flatMap(({ path, content }) => {
    const [, place, text] = /`(\S+\/)setup\.go`:\n\n```go\n([^]*?)^```$/m.exec(content) ?? []
    if (place === undefined || text === undefined || !path.endsWith('.md')) return []
    const name = `example${path.replace('.md', '')}`
    const example = text.replace('func setup(', `func ${name}(`)
    return [{ path: `${place}${name}.go`, content: `${example}\nvar _ = ${name}\n`, owner: 'user' }]
  })
}

afterAll(() => Promise.all(Array.from(directories.values(), (each) => rm(each, { recursive: true }))))

describe('golden projects in Go', { timeout: 600_000 }, () => {
  test('have the layout of gofmt', async () => {
    expect(await runGo('gofmt', ['-l', ...directories.values()])).toBe('')
  })

  test.each(cases)('%s compiles', async (name) => {
    expect(await runGo('go', ['vet', './...'], directories.get(name))).toBe('')
  })
})

/** A test of what hooks can do besides what the first tests call. */
const TRANSACTION_TEST = `package main

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"example.com/p/internal/platform"
	"example.com/p/internal/platform/platformtest"
)

func TestSavepoint(t *testing.T) {
	ctx := context.Background()
	parts, environment := platformtest.New(t, "shelf-db/migrations")
	env := newEnv(readConfig(environment), readSettings(environment), parts)
	db := env.Datastore.db
	create := func(ctx context.Context, label string) error {
		_, err := env.Datastore.CreateShelf(ctx, Shelf{ID: platform.NewID(), Label: label}, uuid.New())
		return err
	}
	err := db.Savepoint(ctx, func(ctx context.Context) error {
		if err := create(ctx, "A"); err != nil {
			return err
		}
		err := db.Savepoint(ctx, func(ctx context.Context) error {
			return platform.FirstError(create(ctx, "B"), db.Savepoint(ctx, func(ctx context.Context) error {
				return create(ctx, "A")
			}))
		})
		if constraint := platform.ViolatedConstraint(err); constraint != "shelf__label__key" {
			t.Error(constraint, err)
		}
		return create(ctx, "C")
	})
	shelves, listed := env.Datastore.ListShelf(ctx, platform.Page{})
	if err != nil || listed != nil || len(shelves) != 2 || shelves[0].Label != "A" || shelves[1].Label != "C" {
		t.Error(err, listed, shelves)
	}
}

func TestNewConn(t *testing.T) {
	ctx := context.Background()
	_, environment := platformtest.New(t, "shelf-db/migrations")
	conn, err := platform.NewConn(ctx, readConfig(environment).Config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var timeout string
	if err := conn.QueryRow(ctx, "show statement_timeout").Scan(&timeout); err != nil || timeout != "0" {
		t.Error(timeout, err)
	}
}
`

test('the first tests of a project pass', { timeout: 300_000 }, async () => {
  const text = `P: project { #language(go); #authMethod(email); #roles[clerk]; }
Reader: service { name: string(80); #auth; }
Shelf: service { label: string(40) @unique; #enumerable; #readable(by: all); #writable(by: clerk); }
Book: service { shelf: Shelf; title: string(80); }`
  const files = emitProject(platformOf(text))
  const directory = await writeFiles([
    ...files,
    { path: 'shelf/transaction_test.go', content: TRANSACTION_TEST, owner: 'user' },
  ])
  const output = await runGo('go', ['test', '-count=1', './...'], directory, {
    TEST_DATABASE_URL: await postgresUrl(),
  })
  await rm(directory, { recursive: true })
  const results = output
    .split('\n')
    .flatMap((line) => /^(\S+)\s+example\.com\/p\/(\w+)\s/.exec(line)?.slice(1) ?? [])
  expect(results, output).toEqual(['ok', 'auth', 'ok', 'book', 'ok', 'reader', 'ok', 'shelf'])
})
