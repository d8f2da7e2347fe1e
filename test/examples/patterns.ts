import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, call } from '../dev/run-platform.ts'
import { removePlatform, type RunningExample, startExample, WORK } from './example.ts'
import { readActions } from './walkthrough.ts'

// The code of docs/patterns.md, put together to one project, does what the page says.

type Language = 'typescript' | 'go'

const PAGE = join(import.meta.dirname, '../../docs/patterns.md')

/** Names that the examples use without importing them, by module; those of the other files of their service too. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  'drizzle-orm': ['and', 'eq', 'gte', 'isNull', 'sql'],
  '#lib/errors.ts': ['invalidParameter'],
  '#lib/values.ts': ['isUuid'],
  './csv.ts': ['lineOf'],
  './hooks.ts': ['HookError'],
  './schema.ts': ['product', 'purchase'],
}

/** Packages that the examples use without importing them, in the groups of imports. */
const PACKAGES: readonly (readonly string[])[] = [
  ['cmp', 'context', 'encoding/csv', 'errors', 'net/http', 'strconv', 'time'],
  ['github.com/google/uuid', 'github.com/jackc/pgx/v5'],
  ['example.com/shop/internal/platform', 'example.com/shop/internal/productclient'],
]

/** The blocks of the page by path. Several blocks can be parts of one file. */
function blocks(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const action of readActions(readFileSync(PAGE, 'utf8'))) {
    if (!('path' in action)) continue
    found.set(action.path, [...(found.get(action.path) ?? []), action.content])
  }
  return found
}

/** The files of the page in a language. */
function filesIn(language: Language): Record<string, string> {
  const whole = language === 'typescript' ? wholeTypescript : wholeGo
  const ending = language === 'typescript' ? '.ts' : '.go'
  return Object.fromEntries(
    Array.from(blocks())
      .filter(([path]) => path.endsWith(ending))
      .map(([path, parts]) => [path, whole(basename(path), parts.join('\n'))]),
  )
}

function wholeTypescript(name: string, text: string): string {
  const imports = (...without: readonly string[]) =>
    Object.entries(MODULES)
      .map(([module, names]) => [module, names.filter((each) => uses(text, `${each}\\b`))] as const)
      .filter(([module, names]) => names.length > 0 && !without.includes(module))
      .map(([module, names]) => `import { ${names.join(', ')} } from '${module}'\n`)
      .join('')
  if (name === 'setup.ts')
    return `${imports('./schema.ts')}import type { Env, Router } from './hooks.ts'

export default function setup(env: Env, ${uses(text, 'router\\.') ? 'router' : '_router'}: Router): void {
${text}}
`
  if (name === 'datastore.ts')
    return `${imports()}import type { Database } from './schema.ts'

export const queries = (db: Database) => ({
${text}})
`
  return text
}

function wholeGo(name: string, text: string): string {
  const isSetup = name === 'setup.go'
  if (!isSetup && name !== 'datastore.go') return text
  const code = isSetup ? `context. platform. ${text}` : text
  const groups = PACKAGES.map((group) =>
    group
      .filter((path) => uses(code, `${basename(path.replace(/\/v\d+$/, ''))}\\.`))
      .map((path) => `\t"${path}"\n`)
      .join(''),
  ).filter((group) => group !== '')
  const head = `package main\n\nimport (\n${groups.join('\n')})\n\n`
  if (!isSetup) return head + text
  const router = uses(text, 'router\\.') ? 'router' : '_'
  return `${head}func setup(_ context.Context, env *Env, ${router} *platform.Router) error {
${text.replace(/^(?=.)/gm, '\t')}\treturn nil
}
`
}

const uses = (text: string, pattern: string): boolean => new RegExp(`(?<![.\\w'])${pattern}`).test(text)

/** Runs the code of the page in a language, and tests that the patterns do what the page says. */
export function testPatterns(language: Language, checkCode: (output: string) => Promise<void>): void {
  let running: RunningExample
  let directory: string

  beforeAll(async () => {
    mkdirSync(WORK, { recursive: true })
    directory = mkdtempSync(join(WORK, 'patterns-'))
    const definition = join(directory, 'shop.portico')
    writeFileSync(definition, blocks().get('shop.portico')?.join('') ?? '')
    const options = ['--language', language, ...(language === 'go' ? ['--module', 'example.com/shop'] : [])]
    const example = { name: 'patterns', definition, readme: PAGE, isInGo: language === 'go', options }
    running = await startExample({ ...example, environment: {} }, filesIn(language))
  }, 300_000)

  afterAll(async () => {
    await running?.stop()
    removePlatform(directory)
  })

  test('the code of the page is correct', { timeout: 300_000 }, () => checkCode(running.output))

  describe('the patterns', () => {
    let seller: User
    let product: string

    interface User {
      readonly id: string
      send(method: string, path: string, body?: unknown): Promise<Answer>
    }

    async function register(): Promise<User> {
      const account = { email: `${randomUUID()}@example.org`, password: randomUUID() }
      const { body } = await call(running, 'POST', '/api/auth/register', { body: account })
      const token = String(body['AccessToken'])
      const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
      const send: User['send'] = (method, path, sent) =>
        call(running, method, `/api/${path}`, { token, body: sent })
      return { id: (JSON.parse(claims) as { id: string }).id, send }
    }

    async function create(user: User, path: string, body: unknown): Promise<string> {
      const created = await user.send('POST', path, body)
      expect(created).toMatchObject({ status: 201 })
      return String(created.body['id'])
    }

    const addProduct = (name: string, stock = 5, price = '0.10'): Promise<string> =>
      create(seller, 'product', { name, price, stock })
    const buy = (user: User, of: string, quantity = 1): Promise<Answer> =>
      user.send('POST', 'purchase', { product: of, quantity })
    const statuses = (answers: readonly Answer[]): number[] =>
      answers.map(({ status }) => status).toSorted((a, b) => a - b)
    const namesOf = ({ body }: Answer): unknown[] =>
      (body['ProductList'] as { name: string }[]).map(({ name }) => name)

    beforeAll(async () => {
      seller = await register()
      product = await addProduct('=1+1')
    })

    test('a purchase costs its exact total, and what is archived is not sold', async () => {
      const buyer = await register()
      expect(await buy(buyer, product, 3)).toMatchObject({
        status: 201,
        body: { total: '0.30', status: 'open' },
      })
      const archived = await addProduct('Archived')
      expect(await seller.send('POST', `product/${archived}/archive`, {})).toMatchObject({ status: 200 })
      expect(await buy(buyer, archived)).toMatchObject({ status: 409, body: { error: 'No longer sold' } })
    })

    test('a user has three open purchases, also of requests at the same time', async () => {
      const buyer = await register()
      const bought = await Promise.all([1, 2, 3, 4, 5].map(() => buy(buyer, product)))
      expect(statuses(bought)).toEqual([201, 201, 201, 409, 409])
    })

    test('the last item is delivered once, and who gets none can try again', async () => {
      const [ada, bob] = [await register(), await register()]
      const last = await addProduct('Last', 1)
      const orders = [
        { user: ada, id: await create(ada, 'purchase', { product: last, quantity: 1 }) },
        { user: bob, id: await create(bob, 'purchase', { product: last, quantity: 1 }) },
      ]
      const deliver = ({ user, id }: (typeof orders)[number]) =>
        user.send('POST', `purchase/${id}/deliver`, {})
      const delivered = await Promise.all([...orders, ...orders].map(deliver))
      expect(statuses(delivered)).toEqual([200, 409, 409, 409])
      const shown = await Promise.all(orders.map(({ user, id }) => user.send('GET', `purchase/${id}`)))
      expect(shown.map(({ body }) => String(body['status'])).toSorted()).toEqual(['delivered', 'open'])
      expect(await seller.send('GET', `product/${last}`)).toMatchObject({ body: { stock: 0 } })
      await seller.send('PATCH', `product/${last}`, { stock: 1 })
      const again = await Promise.all(orders.map(deliver))
      expect(statuses(again)).toEqual([200, 409])
    })

    test('receipts and exports have the names of products, and only those of the caller', async () => {
      const buyer = await register()
      await buy(buyer, product, 3)
      const receipts = await buyer.send('GET', 'purchase/receipts')
      expect(JSON.parse(String(receipts.body['text']))).toEqual([{ name: '=1+1', total: '0.30' }])
      const { body } = await buyer.send('GET', 'purchase/export.csv')
      const unquoted = String(body['text']).replaceAll(/["\r]/g, '')
      expect(unquoted).toBe("product,quantity,total\n'=1+1,3,0.30\n")
    })

    test('archived products are left out, unless a filter asks for them', async () => {
      const id = await addProduct('Gone')
      await seller.send('POST', `product/${id}/archive`, {})
      expect(namesOf(await seller.send('GET', 'product/all'))).not.toContain('Gone')
      const path = 'product/all?archivedAt[gte]=2020-01-01T00:00:00Z'
      expect(namesOf(await seller.send('GET', path))).toContain('Gone')
      expect(namesOf(await seller.send('GET', 'product/search?text=gone'))).toEqual([])
    })

    test('changes are recorded, with who made them', async () => {
      const id = await addProduct('Audited')
      for (const price of ['0.20', '0.30']) await seller.send('PATCH', `product/${id}`, { price })
      const { body } = await seller.send('GET', `product/${id}/change/all`)
      expect(body['ChangeList']).toMatchObject([
        { author: seller.id, price: '0.20' },
        { author: seller.id, price: '0.30' },
      ])
    })

    test('a search finds its text only, in pages by name', async () => {
      const ids = new Map<string, string>()
      for (const name of ['Oak 3', 'Oak 1', 'Oak 2%']) ids.set(name, await addProduct(name))
      const search = (query: string) => seller.send('GET', `product/search?${query}`)
      expect(namesOf(await search('text=OAK&limit=2'))).toEqual(['Oak 1', 'Oak 2%'])
      expect(namesOf(await search(`text=oak&after=${ids.get('Oak 2%')}`))).toEqual(['Oak 3'])
      expect(namesOf(await search('text=%25'))).toEqual(['Oak 2%'])
      expect(namesOf(await search(`text=${encodeURIComponent("' OR true --")}`))).toEqual([])
      expect(await search('text=oak&after=x')).toMatchObject({ status: 400 })
    })
  })
}
