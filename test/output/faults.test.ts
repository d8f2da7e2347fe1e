import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { previewProject, updateProject } from '../../src/output/update-project.ts'
import type { Result } from '../../src/output/result.ts'
import { expectError, expectValue, generation, TestDirectory } from './project.ts'

const UPDATE = fileURLToPath(new URL('update.ts', import.meta.url))
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

const FIRST = { 'README.md': 'readme\n', 'home/src/main.ts': 'main\n', 'host/src/main.ts': 'main\n' }
const NEXT = { 'README.md': 'new\n', 'home/src/main.ts': 'new\n', 'host/src/other.ts': 'new\n' }

/** Brings a directory up to date as somebody whom permissions hold back. */
async function updateUnprivileged(root: string, files: Record<string, string>): Promise<Result<unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [UPDATE, root, JSON.stringify(files)], {
    cwd: '/',
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  })
  return JSON.parse(stdout) as Result<unknown>
}

/** Gives a directory and all in it to whom `updateUnprivileged` runs as. */
function handOver(directory: TestDirectory): void {
  chmodSync(directory.path, 0o755)
  if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, directory.path])
}

describe('a directory that is not writable', () => {
  it.each(['home/src', 'host/src', 'host', '.portico', ''])(
    'changes nothing where it is %j',
    async (closed) => {
      using directory = new TestDirectory()
      handOver(directory)
      expectValue(await updateUnprivileged(directory.path, FIRST))
      const before = directory.tree()
      const path = join(directory.path, closed)
      if (closed !== 'host' && closed !== '') chmodSync(path, 0o555)
      else if (isRoot) chownSync(path, 0, 0)
      const outcome = await updateUnprivileged(directory.path, { ...NEXT, 'host/new.ts': 'x', 'new.ts': 'x' })
      chmodSync(path, 0o755)
      if (!isRoot && (closed === 'host' || closed === '')) return
      const error = expectError(outcome)
      expect(error.code).toBe('system')
      expect(error.message).toMatch(/^Could not access `[^\n]+`: permission denied\. Nothing was changed\.$/)
      expect(error.message).toContain(path)
      expect(directory.tree()).toEqual(before)
      if (isRoot) chownSync(path, NOBODY, NOBODY)
      expectValue(await updateUnprivileged(directory.path, NEXT))
    },
  )

  it('reports that the output directory cannot be created', async () => {
    using directory = new TestDirectory()
    handOver(directory)
    chmodSync(directory.path, 0o555)
    const error = expectError(await updateUnprivileged(join(directory.path, 'shop'), FIRST))
    expect(error.message).toContain(`\`${join(directory.path, 'shop')}\`: permission denied`)
    chmodSync(directory.path, 0o755)
    expect(readdirSync(directory.path)).toEqual([])
  })

  it('reports that nothing can be written to the output directory', async () => {
    using directory = new TestDirectory()
    handOver(directory)
    chmodSync(directory.path, 0o555)
    const error = expectError(await updateUnprivileged(directory.path, FIRST))
    expect(error.message).toBe(
      `Could not write to \`${directory.path}\`: permission denied. Nothing was changed.`,
    )
    chmodSync(directory.path, 0o755)
  })

  it('reports that a file cannot be read', async () => {
    using directory = new TestDirectory()
    handOver(directory)
    expectValue(await updateUnprivileged(directory.path, FIRST))
    chmodSync(join(directory.path, 'README.md'), 0)
    const error = expectError(await updateUnprivileged(directory.path, NEXT))
    expect(error.message).toBe(
      `Could not access \`${join(directory.path, 'README.md')}\`: permission denied. Nothing was changed.`,
    )
  })

  it('can still be previewed', async () => {
    using directory = new TestDirectory()
    handOver(directory)
    expectValue(await updateUnprivileged(directory.path, FIRST))
    chmodSync(join(directory.path, '.portico'), 0o555)
    chmodSync(join(directory.path, '.portico/lock'), 0o444)
    expect(expectValue(previewProject(directory.path, generation(FIRST))).upToDate).toBe(true)
  })
})

describe.runIf(canMount())('a full disk', () => {
  const mount = new TestDirectory()

  beforeAll(() => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', mount.path])
  })

  afterAll(() => {
    execFileSync('umount', [mount.path])
    mount[Symbol.dispose]()
  })

  it('changes nothing, removes what was staged, and reports it', async () => {
    const root = join(mount.path, 'shop')
    const large = (text: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 12 }, (_, number) => [`f${number}`, text.repeat(20_000)]))
    expectValue(await updateProject(root, generation(large('a'))))
    const before = mount.tree()
    const error = expectError(await updateProject(root, generation(large('b'.repeat(2)))))
    expect(error.message).toMatch(/: no space left on the disk\. Nothing was changed\.$/)
    expect(mount.tree()).toEqual(before)
    expect(readdirSync(join(root, '.portico')).sort()).toEqual(['.gitignore', 'lock', 'manifest.json'])
    expectValue(await updateProject(root, generation({ f0: 'small' })))
  })

  it('reports that not even the directory fits', async () => {
    mkdirSync(join(mount.path, 'filled'))
    mount.write('filled/file', '')
    try {
      execFileSync('sh', ['-c', `cat /dev/zero > ${join(mount.path, 'filled/file')} 2>/dev/null || true`])
      const error = expectError(
        await updateProject(join(mount.path, 'other'), generation({ f: 'x'.repeat(9000) })),
      )
      expect(error.message).toMatch(/: no space left on the disk\. Nothing was changed\.$/)
    } finally {
      execFileSync('rm', [join(mount.path, 'filled/file')])
    }
  })
})

function canMount(): boolean {
  if (!isRoot) return false
  using directory = new TestDirectory()
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', directory.path], { stdio: 'ignore' })
    execFileSync('umount', [directory.path])
    return true
  } catch {
    return false
  }
}
