import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'test/postgres-run.ts',
    include: ['test/**/*.test.ts'],
    exclude: ['test/golden/**', 'test/acceptance/**'],
    // Tests clean up what they change. A process for each file would load the compiler and the libraries each time.
    isolate: false,
    // Two files at a time are faster even on two cores, because many tests wait for processes that they started.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A loop over nothing proves nothing. A busy machine takes longer to do what a test waits for.
    expect: { requireAssertions: true, poll: { timeout: 15_000 } },
    // Coverage does not see other processes, so test/lsp runs the server in the process of the test.
    env: { PORTICO_COVERAGE: process.argv.some((word) => word.startsWith('--coverage')) ? '1' : '' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/language/generated/**'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
})
