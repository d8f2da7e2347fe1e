import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ejectFiles, restoreFiles } from '../../src/output/eject.ts'
import { parseManifest } from '../../src/output/manifest.ts'
import { updateProject } from '../../src/output/update-project.ts'
import { expectError, expectValue, generation, packageJson, TestDirectory } from './project.ts'

const MAIN = 'home/src/main.ts'

async function generate(directory: TestDirectory, files: Record<string, string>, overwrite = false) {
  return expectValue(await updateProject(directory.path, generation(files), { overwrite })).plan
}

describe('an ejected file', () => {
  it('is never written again, and its generated version is compared with that at the ejection', async () => {
    using directory = new TestDirectory()
    await generate(directory, { [MAIN]: 'one\n' })
    expectValue(await ejectFiles(directory.path, [MAIN]))
    directory.write(MAIN, 'mine\n')
    expect((await generate(directory, { [MAIN]: 'one\n' }, true)).ejectedChanges).toEqual([])
    const { ejectedChanges } = await generate(directory, { [MAIN]: 'two\n' }, true)
    expect(ejectedChanges).toEqual([
      { path: MAIN, before: 'one\n', isYours: false, after: 'two\n', isNew: true },
    ])
    expect((await generate(directory, { [MAIN]: 'two\n' })).ejectedChanges).toEqual([
      { path: MAIN, before: 'one\n', isYours: false, after: 'two\n', isNew: false },
    ])
    expect(directory.read(MAIN)).toBe('mine\n')
  })

  it('is compared with the version at its last ejection', async () => {
    using directory = new TestDirectory()
    await generate(directory, { [MAIN]: 'one\n' })
    expectValue(await ejectFiles(directory.path, [MAIN]))
    directory.write(MAIN, 'mine\n')
    await generate(directory, { [MAIN]: 'two\n' })
    expectValue(await ejectFiles(directory.path, [MAIN]))
    expect((await generate(directory, { [MAIN]: 'two\n' })).ejectedChanges).toEqual([])
    const { ejectedChanges } = await generate(directory, { [MAIN]: 'three\n' })
    expect(ejectedChanges).toMatchObject([{ before: 'two\n', after: 'three\n' }])
  })

  it('is compared with itself if it was edited before and its generated version is not known', async () => {
    using directory = new TestDirectory()
    await generate(directory, { [MAIN]: 'one\n' })
    directory.write(MAIN, 'mine\n')
    expectValue(await ejectFiles(directory.path, [MAIN]))
    const { ejectedChanges } = await generate(directory, { [MAIN]: 'two\n' })
    expect(ejectedChanges).toMatchObject([{ before: 'mine\n', isYours: true, after: 'two\n' }])
  })

  it('stays deleted, and stays when it is no longer generated', async () => {
    using directory = new TestDirectory()
    await generate(directory, { [MAIN]: 'one\n', 'other.md': 'text\n' })
    expectValue(await ejectFiles(directory.path, [MAIN, 'other.md']))
    rmSync(join(directory.path, MAIN))
    await generate(directory, { [MAIN]: 'two\n' })
    expect(existsSync(join(directory.path, MAIN))).toBe(false)
    expect(directory.read('other.md')).toBe('text\n')
  })

  it('decides whether the lock file of a package is generated', async () => {
    using directory = new TestDirectory()
    const ours = packageJson({ dependencies: { hono: '4.0.0' } })
    const theirs = packageJson({ dependencies: { hono: '4.1.0' } })
    const lock = packageJson({ packages: { '': { dependencies: { hono: '4.0.0' } } } })
    await generate(directory, { 'package.json': ours, 'package-lock.json': lock })
    expectValue(await ejectFiles(directory.path, ['package.json']))
    directory.write('package.json', theirs)
    const plan = await generate(directory, { 'package.json': ours, 'package-lock.json': lock })
    expect(plan.lockNotices).toEqual([{ path: 'package-lock.json', reason: 'outdated' }])
    expect(directory.read('package.json')).toBe(theirs)
  })

  it('that is given back is generated again, with a backup', async () => {
    using directory = new TestDirectory()
    await generate(directory, { [MAIN]: 'one\n', 'other.md': 'text\n' })
    expectValue(await ejectFiles(directory.path, [MAIN, 'other.md']))
    directory.write(MAIN, 'mine\n')
    directory.write(`${MAIN}.orig`, 'older\n')
    expect(expectValue(await restoreFiles(directory.path, [MAIN, 'other.md']))).toEqual([
      { path: MAIN, backup: `${MAIN}.orig.2` },
      { path: 'other.md' },
    ])
    expect(directory.read(MAIN)).toBe('mine\n')
    await generate(directory, { [MAIN]: 'two\n', 'other.md': 'text 2\n' })
    expect(directory.tree()).toMatchObject({
      [MAIN]: 'two\n',
      [`${MAIN}.orig`]: 'older\n',
      [`${MAIN}.orig.2`]: 'mine\n',
      'other.md': 'text 2\n',
    })
  })

  it('has a record in the manifest that is checked', async () => {
    using directory = new TestDirectory()
    await generate(directory, { [MAIN]: 'one\n' })
    expectValue(await ejectFiles(directory.path, [MAIN]))
    const text = directory.read('.portico/manifest.json')
    const sha256 = parseManifest(text, 'm').files.get(MAIN)?.sha256
    expect(parseManifest(text, 'm').files.get(MAIN)?.ejected).toEqual({ sha256, text: 'one\n' })
    directory.write('.portico/manifest.json', text.replace('"one\\n"', '1'))
    expect(expectError(await ejectFiles(directory.path, [MAIN])).code).toBe('manifest')
  })
})
