import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { watch } from '../../src/dev/watch.ts'
import { temporaryDirectory } from '../cli/harness.ts'

test('a deleted definition counts as changed, so that the user is told that it is missing', async () => {
  const directory = temporaryDirectory()
  const definition = path.join(directory, 'shop.portico')
  writeFileSync(definition, '')
  const onDefinition = vi.fn()
  const watcher = watch({
    definition,
    output: path.join(directory, 'shop'),
    shared: [],
    onDefinition,
    onFiles: () => {},
    onError: (error) => {
      throw error
    },
  })
  try {
    await vi.waitFor(() => expect(onDefinition).toHaveBeenCalledTimes(1), 5000)
    rmSync(definition)
    await vi.waitFor(() => expect(onDefinition).toHaveBeenCalledTimes(2), 5000)
  } finally {
    await watcher.close()
  }
})
