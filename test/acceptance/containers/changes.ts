import { appendFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ENV_FILE, ENV_VALUES, PRINT_SETTINGS } from '../../emit/deploy/env-file.ts'
import { SMALL } from './definitions.ts'
import type { Deployment } from './deployment.ts'
import { docker } from './docker.ts'

/** Another deployment over one that runs. */
export function changes(small: () => Deployment): void {
  /** Ids of the containers by their services: they change exactly when a container is replaced. */
  async function running(): Promise<Map<string, string>> {
    const containers = await small().containers()
    return new Map(
      containers.map(({ Id, Config }) => [Config.Labels['com.docker.compose.service'] ?? '', Id] as const),
    )
  }

  /** Deploys again, and says whose containers are others than before. */
  async function replacedBy(change: () => Promise<void>): Promise<string[]> {
    const before = await running()
    await change()
    const outcome = await small().script()
    expect(outcome.status, outcome.stderr).toBe(0)
    const after = await running()
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
    return [...after]
      .filter(([service, id]) => before.get(service) !== id)
      .map(([service]) => service)
      .sort()
  }

  test('a new version that does not start is removed, after the end of its own log is shown', async () => {
    const file = path.join(small().directory, 'home/src/setup.ts')
    const setup = await readFile(file, 'utf8')
    const before = await running()
    await writeFile(file, "export default () => { throw new Error('Missing label printer') }\n")
    const { status, stderr } = await small().script()
    expect(status).toBe(1)
    expect(stderr).toContain('Missing label printer')
    expect(stderr).toContain('Could not start the new version of home. The previous one is still running')
    // That of the previous version, which is still serving, would hide it.
    expect(stderr).not.toContain('"message":"ready"')
    expect((await running()).get('home')).toBe(before.get('home'))
    for (const containers of ['2', '1']) {
      const scaled = await small().script('scale', 'home', containers)
      expect(scaled.status, scaled.stderr).toBe(0)
    }
    await writeFile(file, setup)
  })

  test('changes of the definition and of code replace the services that they concern, and the gateway serves the new description', async () => {
    const changed = SMALL.replace('Home: service', '/// Where somebody lives.\nHome: service')
    const replaced = replacedBy(async () => {
      await small().regenerate(changed)
      await appendFile(path.join(small().directory, 'owner/src/setup.ts'), '\n// Mine.\n')
    })
    expect(await replaced).toEqual(['home', 'home.migrate', 'owner', 'owner.migrate'])
    const description = await fetch(`http://${small().gateway}/api/openapi.json`)
    expect(await description.text()).toContain('Where somebody lives.')
  })

  test('a service has the variables of its .env, as Node reads them', async () => {
    const file = path.join(small().directory, 'home/.env')
    expect(await replacedBy(() => writeFile(file, ENV_FILE))).toEqual(['home', 'home.migrate'])
    const id = (await running()).get('home') ?? ''
    expect(JSON.parse(await docker('exec', id, ...PRINT_SETTINGS))).toEqual(ENV_VALUES)
  })

  test('a gateway that does not accept its new configuration goes on with the previous one, and a deployment without it replaces no container', async () => {
    const file = path.join(small().directory, 'gateway/envoy.yaml')
    const configuration = await readFile(file, 'utf8')
    const served = (): Promise<string> =>
      fetch(`http://${small().gateway}/api/home/all`).then(({ status }) => `${status}`)
    const before = await served()
    await writeFile(file, configuration.replace('static_resources:', 'static_sources:'))
    const { status, stderr } = await small().script()
    expect([status, await served()]).toEqual([1, before])
    expect(stderr).toContain('static_sources')
    expect(stderr).toContain(
      'The gateway could not load its new configuration. The previous one is still in use',
    )
    expect(await replacedBy(() => writeFile(file, configuration))).toEqual([])
  })
}
