import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gatewayCredentials } from '../../src/dev/gateway-credentials.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-credential-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

test('a credential is created once, with 32 random bytes, readable only by its owner', async () => {
  const first = await gatewayCredentials(directory)
  expect(first.credentials).toHaveLength(1)
  expect(Buffer.from(first.credentials[0]?.secret ?? '', 'base64url')).toHaveLength(32)
  expect(statSync(first.file).mode & 0o777).toBe(0o600)
  expect(await gatewayCredentials(directory)).toEqual(first)
  expect(readdirSync(directory)).toEqual(['gateway-credentials.json'])
})

test.each([
  '',
  '{',
  'null',
  '{}',
  '{"credentials": []}',
  '{"credentials": [{"id": "a", "secret": "c2hvcnQ"}]}',
  '{"credentials": [1]}',
])('a file with %j has no credentials and is replaced', async (text) => {
  writeFileSync(path.join(directory, 'gateway-credentials.json'), text)
  expect((await gatewayCredentials(directory)).credentials).toHaveLength(1)
})
