import { existsSync, readdirSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { docker, outcomeOf } from './docker.ts'

const PREFIX = 'portico-test-'
/** Lines of generated Dockerfiles: the classic builder gives what it keeps of a build no name and no label. */
const LINES = ['WORKDIR /app', '/etc/envoy/start.sh']

/** Begins the names of all that a run of tests makes in the engine. */
export function prefixOf(run: string): string {
  return `${PREFIX}${run}-`
}

/**
 * Before a run of tests (its process id) makes anything: removes what runs left that were cut short, and notes
 * which images are not this one's.
 */
export async function beginRun(run: string): Promise<void> {
  if (existsSync(noteOf(run))) return
  for (const other of runs()) if (!isRunning(Number(other))) await removeRun(other)
  await writeFile(noteOf(run), (await unnamedImages()).join('\n'))
}

/** Removes containers, volumes, networks, images and projects of a run of tests, if it made any. */
export async function removeRun(run: string): Promise<void> {
  if (!existsSync(noteOf(run))) return
  const mine = (names: string): string[] => names.split('\n').filter((name) => name.startsWith(prefixOf(run)))
  const remove = async (command: readonly string[], names: readonly string[]): Promise<void> => {
    if (names.length > 0) await outcomeOf('docker', [...command, ...names])
  }
  await remove(['rm', '--force', '--volumes'], mine(await docker('ps', '--all', '--format', '{{.Names}}')))
  await remove(['volume', 'rm', '--force'], mine(await docker('volume', 'ls', '--format', '{{.Name}}')))
  await remove(['network', 'rm'], mine(await docker('network', 'ls', '--format', '{{.Name}}')))
  const images = await docker('image', 'ls', '--format', '{{.Repository}}:{{.Tag}}')
  const tagged = images.split('\n').filter((image) => image.includes(`:${prefixOf(run)}`))
  await remove(['rmi', '--force'], [...mine(images), ...tagged])
  for (const directory of mine(readdirSync(tmpdir()).join('\n')))
    await rm(path.join(tmpdir(), directory), { recursive: true, force: true })
  // They may be what builds of other runs continue with, so a later run removes them.
  if (runs().some((other) => other !== run && isRunning(Number(other)))) return
  await remove(['rmi'], await unnamedImagesOf(run))
  await rm(noteOf(run))
}

/** The runs that have made something and not removed all of it. */
function runs(): string[] {
  return readdirSync(tmpdir()).flatMap((file) => /^portico-test-(\d+)\.images$/.exec(file)?.[1] ?? [])
}

/** What the run's builds replaced or kept for later ones: made since it began, by a generated Dockerfile. */
async function unnamedImagesOf(run: string): Promise<string[]> {
  const before = new Set((await readFile(noteOf(run), 'utf8')).split('\n'))
  const found: string[] = []
  for (const image of (await unnamedImages()).filter((id) => !before.has(id))) {
    const history = await docker('history', '--no-trunc', '--format', '{{.CreatedBy}}', image)
    if (LINES.some((line) => history.includes(line))) found.push(image)
  }
  return found
}

async function unnamedImages(): Promise<string[]> {
  const ids = await docker('image', 'ls', '--quiet', '--no-trunc', '--filter', 'dangling=true')
  return ids.split('\n').filter((id) => id !== '')
}

/** Lists the images without a name that were there before the run. */
function noteOf(run: string): string {
  return path.join(tmpdir(), `${PREFIX}${run}.images`)
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch {
    return false
  }
}
