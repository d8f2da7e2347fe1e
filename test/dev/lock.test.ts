import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockState } from '../../src/dev/lock.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-lock-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

test('one platform at a time holds a directory', () => {
  const release = lockState(directory, 'shop')
  expect(() => lockState(directory, 'shop')).toThrow(
    `Another \`portico dev\` (process ${process.pid}) runs the platform in shop.`,
  )
  release()
  lockState(directory, 'shop')()
})

test('the lock of a killed process is free', async () => {
  const module = path.resolve('src/dev/lock.ts')
  const script = `import { lockState } from ${JSON.stringify(module)}; lockState(process.argv[1], 'x'); process.stdout.write('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script, directory])
  await once(holder.stdout, 'data')
  expect(() => lockState(directory, 'shop')).toThrow(`process ${holder.pid}`)
  holder.kill('SIGKILL')
  await once(holder, 'close')
  lockState(directory, 'shop')()
})
