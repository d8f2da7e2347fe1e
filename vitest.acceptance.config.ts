import { defineConfig } from 'vitest/config'

/**
 * Tests that need time or more than Node: other shells, a container engine, Envoy, a browser, VS Code, Python. None of
 * them is skipped; a test fails if its component is missing. Files run one at a time, because most of them fill the
 * machine.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/postgres-run.ts', 'test/acceptance/containers/run.ts'],
    include: ['test/acceptance/**/*.test.ts'],
    // Prints the name of each test and what it measured.
    reporters: ['verbose'],
    maxWorkers: 1,
    // Whole platforms: more of them would only wait for the processors.
    maxConcurrency: 3,
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
