import { defineConfig } from 'vitest/config'

/**
 * Tests that need more than Node: a container engine, Envoy, a browser, VS Code, Python. None of them is ever left
 * out: without its component a test fails. One file at a time, since most of them fill the machine.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/postgres-run.ts', 'test/acceptance/containers/run.ts'],
    include: ['test/acceptance/**/*.test.ts'],
    // Prints each test by its name, and what it has measured.
    reporters: ['verbose'],
    maxWorkers: 1,
    // Of whole platforms: more of them only wait for the processors.
    maxConcurrency: 3,
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
