import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createDirectories, inParallel } from '../../src/output/disk.ts'

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

it('reports an error in parallel work after what is under way has ended', async () => {
  const ended: number[] = []
  const work = async (number: number): Promise<void> => {
    if (number === 0) throw new Error('no space')
    await new Promise((resolve) => setTimeout(resolve, 10))
    ended.push(number)
  }
  await expect(inParallel([0, 1], work)).rejects.toThrow('no space')
  expect(ended).toEqual([1])
})
