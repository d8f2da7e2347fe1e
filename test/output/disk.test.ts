import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createDirectories, flush } from '../../src/output/disk.ts'

const root = mkdtempSync(path.join(tmpdir(), 'portico-directories-'))
afterAll(() => rmSync(root, { recursive: true }))

it('creates a directory and its parents, even if they exist', () => {
  const directory = path.join(root, 'a/b/c')
  createDirectories(directory)
  createDirectories(directory)
  expect(statSync(directory).isDirectory()).toBe(true)
})

it('throws if a file is in the way', () => {
  writeFileSync(path.join(root, 'file'), '')
  expect(() => createDirectories(path.join(root, 'file'))).toThrow('EEXIST')
  expect(() => createDirectories(path.join(root, 'file/below'))).toThrow()
})

it.runIf(existsSync('/proc/self'))('ends where the file system takes no new entries', () => {
  expect(() => createDirectories('/proc/portico/below')).toThrow('ENOENT')
})

it('flushes files and directories, and reports one that cannot be read', async () => {
  const file = path.join(root, 'flushed')
  writeFileSync(file, '')
  await flush([file, root])
  await expect(flush([file, path.join(root, 'missing')])).rejects.toThrow('ENOENT')
})
