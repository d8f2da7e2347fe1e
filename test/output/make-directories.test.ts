import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeDirectories } from '../../src/output/make-directories.ts'

const root = mkdtempSync(path.join(tmpdir(), 'portico-directories-'))
afterAll(() => rmSync(root, { recursive: true }))

it('makes a directory and those above it, also where they exist already', () => {
  const directory = path.join(root, 'a/b/c')
  makeDirectories(directory)
  makeDirectories(directory)
  expect(statSync(directory).isDirectory()).toBe(true)
})

it('throws where a file is in the way', () => {
  writeFileSync(path.join(root, 'file'), '')
  expect(() => makeDirectories(path.join(root, 'file'))).toThrow('EEXIST')
  expect(() => makeDirectories(path.join(root, 'file/below'))).toThrow()
})

it.runIf(existsSync('/proc/self'))('ends where the file system takes no new entries', () => {
  expect(() => makeDirectories('/proc/portico/below')).toThrow('ENOENT')
})
