import { readdirSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile } from '../../../src/compile.ts'
import type { GeneratedFile } from '../../../src/emit/contract.ts'
import { GENERATED } from '../../../src/emit/go/go-file.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { GOLDEN, readInput } from '../../goldens/cases.ts'
import { postgresUrl } from '../../postgres.ts'
import { platformOf } from '../../emit/platform.ts'
import { writeFiles } from '../../emit/service-process.ts'
import { goLinter, runGo } from './run-go.ts'

// Every golden definition in Go is what its compiler, its formatter and its linters expect. So are the services with
// which the benchmarks compare generated ones. All projects are in one workspace, so that each tool runs once and
// compiles what they share once.

const HAND_WRITTEN = join(import.meta.dirname, '../../../bench/service/hand-written-go')
const cases = readdirSync(GOLDEN).sort()
/** Always the same place: linters remember by path what they have found in unchanged packages. */
const workspace = join(tmpdir(), 'portico-go-projects')

beforeAll(async () => {
  const files = cases.flatMap((name) => {
    const { platform } = compile(readInput(name), { language: 'go', module: `example.com/${name}` })
    if (platform === undefined) throw new Error(`${name} has errors`)
    const project = emitProject(platform)
    const examples = examplesIn(project)
    expect(examples, name).toHaveLength(2)
    return [...project, ...examples].flatMap((file) => {
      if (!/\.go$|^go\.(?:mod|sum)$/.test(file.path)) return []
      // Linters report less in files with this line.
      return [
        { ...file, path: `${name}/${file.path}`, content: file.content.replace(`${GENERATED}\n\n`, '') },
      ]
    })
  })
  const uses = cases.map((name) => `use ./${name}\n`).join('')
  const written = await writeFiles([
    ...files,
    { path: 'go.work', content: `go 1.26.0\n${uses}`, owner: 'generated' },
  ])
  await rm(workspace, { recursive: true, force: true })
  await rename(written, workspace)
  await cp(HAND_WRITTEN, join(workspace, 'all-features/hand-written'), { recursive: true })
})

afterAll(() => rm(workspace, { recursive: true }))

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

/** What linters report about generated code, and why it stays. */
const EXPECTED = [
  // Builds with the tag otel set it.
  /^\S+\/request\.go:\d+:\d+: var traceCall is unused \(U1000\)$/,
]

describe('golden projects in Go', { timeout: 900_000 }, () => {
  test('have the layout of gofmt', async () => {
    expect(await runGo('gofmt', ['-l', '.'], workspace)).toBe('')
  })

  test('require the modules that they use', async () => {
    for (const name of cases) {
      const parameters = ['list', '-deps', '-test', '-f', '{{if false}}{{end}}', './...']
      expect(await runGo('go', parameters, join(workspace, name), { GOWORK: 'off' }), name).toBe('')
    }
  })

  test.each([
    { name: 'vet', program: () => 'go', parameters: ['vet'] },
    { name: 'staticcheck', parameters: ['-checks', 'all'] },
    { name: 'errcheck' },
    { name: 'ineffassign' },
  ])('pass $name', async ({ name, program = () => goLinter(name), parameters = [] }) => {
    const packages = cases.map((each) => `./${each}/...`)
    const output = await runGo(program(), [...parameters, ...packages], workspace)
    const unexpected = output.split('\n').filter((line) => !EXPECTED.some((each) => each.test(line)))
    expect(unexpected.join('\n')).toBe('')
  })
})

/** A test of what hooks can do besides what the first tests call. */
const TRANSACTION_TEST = `package main

import (
	"cmp"
	"context"
	"runtime/debug"
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
			return cmp.Or(create(ctx, "B"), db.Savepoint(ctx, func(ctx context.Context) error {
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

func TestMemoryVariables(t *testing.T) {
	values := map[string]string{"GOGC": "150", "GOMEMLIMIT": "64MiB"}
	environment := platform.NewEnvironment(func(name string) string { return values[name] })
	readConfig(environment)
	if percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1); percent != 150 || limit != 64<<20 {
		t.Error(percent, limit)
	}
	if err := environment.Err(); err != nil {
		t.Error(err)
	}
	values["GOMEMLIMIT"] = "64MB"
	readConfig(environment)
	if environment.Err() == nil {
		t.Error("GOMEMLIMIT has an unknown unit")
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

/** A hook that calls another service, whose stand-in answers in the first test. */
const CALLING_SETUP = `package main

import (
	"context"

	"example.com/p/internal/platform"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	env.Hooks.BeforeCreate.Add(
		func(ctx context.Context, _ *Env, request BookRequest, _ *Book, caller platform.Caller) error {
			shelf, err := env.Comm.Shelf.Read(ctx, request.Shelf, caller)
			if err == nil && shelf.Label != "Some label" {
				err = platform.HookError(400, "Shelf has no label")
			}
			return err
		},
	)
	return nil
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
    { path: 'book/setup.go', content: CALLING_SETUP, owner: 'user' },
  ])
  const output = await runGo('go', ['test', '-count=1', './...'], directory, {
    TEST_DATABASE_URL: await postgresUrl(),
  })
  // It starts a Postgres.
  const alone = await runGo('go', ['test', '-count=1', './auth'], directory, { TEST_DATABASE_URL: '' })
  expect(alone).toMatch(/^ok\s+example\.com\/p\/auth\s/)
  await rm(directory, { recursive: true })
  const results = output
    .split('\n')
    .flatMap((line) => /^(\S+)\s+example\.com\/p\/(\w+)\s/.exec(line)?.slice(1) ?? [])
  expect(results, output).toEqual(['ok', 'auth', 'ok', 'book', 'ok', 'reader', 'ok', 'shelf'])
})
