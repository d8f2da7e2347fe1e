import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { authFiles } from '../auth/fixture.ts'
import { writeService } from '../service-process.ts'

/** The largest resident memory of a process that imports modules of a service, in kB. */
async function peak(directory: string, ...modules: readonly string[]): Promise<number> {
  const imports = modules.map((module) => `await import('./src/${module}');`).join('')
  const script = `${imports} console.log(process.resourceUsage().maxRSS)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: directory,
  })
  return Number(stdout)
}

test("the hook spares a service reading Drizzle's package.json once for each of its modules", async () => {
  const directory = await writeService(authFiles, 'auth')
  const without = await peak(directory, 'service.ts')
  const with_ = await peak(directory, 'module-resolution.ts', 'service.ts')
  expect(with_).toBeLessThan(without * 0.8)
})
