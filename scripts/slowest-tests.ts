import type { Reporter, TestModule } from 'vitest/node'

const COUNT = 20

/** A reporter of Vitest that lists the test files and the tests that took longest, for `npm run test:slowest`. */
export default class SlowestTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => {
      const { duration, setupDuration, collectDuration } = module.diagnostic()
      return [module.relativeModuleId, duration + setupDuration + collectDuration] as const
    })
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map(
        (test) => [`${module.relativeModuleId}: ${test.fullName}`, test.diagnostic()?.duration ?? 0] as const,
      ),
    )
    print('Files', files)
    print('Tests', tests)
  }
}

function print(title: string, durations: readonly (readonly [name: string, milliseconds: number])[]): void {
  const slowest = durations.toSorted(([, a], [, b]) => b - a).slice(0, COUNT)
  const lines = slowest.map(([name, duration]) => `${(duration / 1000).toFixed(1).padStart(7)} s  ${name}\n`)
  process.stdout.write(`\n${title}\n${lines.join('')}`)
}
