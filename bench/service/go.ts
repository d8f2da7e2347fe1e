import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PORTICO, runNode } from '../processes.ts'

/** The hook of Step: a query in the transaction of each create. */
const STEP_SETUP = `package main

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"example.com/measured/internal/platform"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	env.Hooks.BeforeCreate.Add(func(ctx context.Context, env *Env, request StepRequest, _ *Step, _ platform.Caller) error {
		id, err := uuid.Parse(request.Previous)
		if err == nil {
			_, err = env.Datastore.ReadStep(ctx, StepID{ID: id})
		}
		if errors.Is(err, platform.ErrNotFound) {
			return platform.HookError(409, "No such previous step")
		}
		return err
	})
	return nil
}
`

/** The hook of Thing, which uses no database, for those services whose environment wants it. */
const THING_SETUP = `package main

import (
	"context"
	"os"
	"strings"

	"example.com/measured/internal/platform"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	if os.Getenv("HOOKED") == "" {
		return nil
	}
	env.Hooks.BeforeCreate.Add(func(_ context.Context, _ *Env, _ ThingRequest, input *Thing, _ platform.Caller) error {
		input.Title = strings.TrimSpace(input.Title)
		input.Amount++
		return nil
	})
	return nil
}
`

/**
 * Generates the services of a definition in Go, and builds them and their hand-written twins, as their images do.
 * Returns the directory of the binaries.
 */
export async function buildGo(definition: string, work: string): Promise<string> {
  const inGo = join(work, 'go.portico')
  const output = join(work, 'go')
  const binaries = join(work, 'bin')
  writeFileSync(inGo, definition)
  await runNode([PORTICO, 'generate', inGo, '--output', output, '--yes', '--module', 'example.com/measured'])
  writeFileSync(join(output, 'step/setup.go'), STEP_SETUP)
  writeFileSync(join(output, 'thing/setup.go'), THING_SETUP)
  // In the same module, so that both have the same versions of the libraries.
  cpSync(join(import.meta.dirname, 'hand-written-go'), join(output, 'hand-written-go'), { recursive: true })
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-trimpath' }
  await promisify(execFile)('go', ['build', '-ldflags=-s -w', '-o', `${binaries}/`, './...'], {
    cwd: output,
    env,
  })
  return binaries
}
