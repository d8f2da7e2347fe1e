import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmbeddedPlatform } from '../../../src/dev/platform.ts'
import { call, createWorkplace, register, type Workplace } from '../../dev/run-platform.ts'

/** The authentication service in one language, with services in both that it calls and that read its accounts. */
const definition = (language: string): string => `Shop: project {
  #authMethod(email);
  #language(${language});
  #roles[admin];
  #uses[Member, Welcome];
}
Member: service { name: string(80); #auth; #language(typescript); }
Welcome: service { text: string(80); #language(go); #enumerable; }
Order: service { total: int; #uses[Auth]; #language(typescript); }
Invoice: service { total: int; #uses[Auth]; #language(go); }
`

const READERS: Readonly<Record<string, string>> = {
  'order/src/setup.ts': `import type { Env, Router } from './hooks.ts'

export default async function setup(env: Env, router: Router): Promise<void> {
  router.get('/order/x/accounts', async (c) => {
    const ids = c.req.query('ids')?.split(',') ?? []
    const one = await env.comm.auth.read(ids[0] ?? '')
    return c.json({ one: one ?? null, many: await env.comm.auth.readMany(ids) })
  })
}
`,
  'invoice/setup.go': `package main

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"example.com/shop/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	router.Handle("GET /invoice/x/accounts", func(w http.ResponseWriter, r *http.Request) error {
		var ids []uuid.UUID
		for text := range strings.SplitSeq(r.URL.Query().Get("ids"), ",") {
			id, _ := platform.ParseID(text)
			ids = append(ids, id)
		}
		answer := map[string]any{"one": nil}
		one, err := env.Comm.Auth.Read(r.Context(), ids[0])
		if err == nil {
			answer["one"] = one
		} else if !errors.Is(err, platform.ErrNotFound) {
			return err
		}
		if answer["many"], err = env.Comm.Auth.ReadMany(r.Context(), ids); err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, answer)
	})
	return nil
}
`,
}

/** After a registration, the authentication service creates an entity of each of the two services. */
const AUTHENTICATION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  typescript: {
    'auth/src/setup.ts': `import type { Env, Router } from './hooks.ts'

export default async function setup(env: Env, _router: Router): Promise<void> {
  env.hooks.afterRegister((tx, auth, caller) =>
    tx.afterCommit(async () => {
      await env.comm.member.create({ name: auth.email }, caller)
      await env.comm.welcome.create({ text: 'Welcome ' + auth.email }, caller)
    }),
  )
}
`,
  },
  go: {
    'auth/setup.go': `package main

import (
	"context"

	"example.com/shop/internal/memberclient"
	"example.com/shop/internal/platform"
	"example.com/shop/internal/welcomeclient"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	env.Hooks.AfterRegister.Add(func(ctx context.Context, env *Env, auth *Result, caller platform.Caller) error {
		email := auth.Email
		env.AfterCommit(ctx, func(ctx context.Context) error {
			if _, err := env.Comm.Member.Create(ctx, memberclient.MemberRequest{Name: email}, caller); err != nil {
				return err
			}
			_, err := env.Comm.Welcome.Create(ctx, welcomeclient.WelcomeRequest{Text: "Welcome " + email}, caller)
			return err
		})
		return nil
	})
	return nil
}
`,
  },
}

describe.each(['typescript', 'go'])('with an authentication service in %s', (language) => {
  let place: Workplace
  let platform: EmbeddedPlatform

  beforeAll(async () => {
    place = await createWorkplace(definition(language))
    const first = await place.start()
    await first.stop()
    const files = { ...READERS, ...AUTHENTICATION[language] }
    for (const [file, text] of Object.entries(files)) await writeFile(path.join(place.output, file), text)
    platform = await place.start()
  })
  afterAll(() => place.close())

  const idOf = (token: string): string => {
    const [, claims = ''] = token.split('.')
    return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { id: string }).id
  }

  test('its hooks call services, on behalf of the user', async () => {
    const token = await register(platform, 'ada@example.org')
    const member = await call(platform, 'GET', `/api/member/${idOf(token)}`, { token })
    expect(member.body['name']).toBe('ada@example.org')
    const { body } = await call(platform, 'GET', '/api/welcome/all', { token })
    expect(body['WelcomeList']).toMatchObject([{ text: 'Welcome ada@example.org' }])
  })

  test.each(['order', 'invoice'])('%s reads accounts, whoever calls it', async (service) => {
    const token = await register(platform, `${service}@example.org`)
    const other = await register(platform, `other.${service}@example.org`)
    const unknown = '019ab6f2-5c1e-7d3a-9b4f-0a1b2c3d4e5f'
    const read = (...ids: string[]) =>
      call(platform, 'GET', `/api/${service}/x/accounts?ids=${ids.join(',')}`, { token })
    const account = { id: idOf(other), email: `other.${service}@example.org`, roles: [] }
    expect(await read(idOf(other))).toEqual({ status: 200, body: { one: account, many: [account] } })
    expect(await read(unknown)).toEqual({ status: 200, body: { one: null, many: [] } })
    const many = await read(idOf(other), unknown, idOf(token), idOf(other))
    expect(many.body['many']).toHaveLength(2)
  })

  test('the gateway has no path to accounts', async () => {
    const token = await register(platform, 'gateway@example.org')
    for (const route of ['/read-many', '/api/read-many', '/api/auth/read-many', '/api/auth/../read-many'])
      expect((await call(platform, 'POST', route, { token, body: { ids: [] } })).status).toBe(404)
  })
})
