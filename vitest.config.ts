import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'test/postgres-run.ts',
    include: ['test/**/*.test.ts'],
    exclude: ['test/golden/**', 'test/acceptance/**'],
    // Many tests wait for processes that they started, so that two files at a time pay even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes, however busy the machine is.
    expect: { poll: { timeout: 15_000 } },
    // Coverage is blind to other processes, so that test/lsp serves in its own.
    env: { PORTICO_COVERAGE: process.argv.some((word) => word.startsWith('--coverage')) ? '1' : '' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/language/generated/**'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
})
