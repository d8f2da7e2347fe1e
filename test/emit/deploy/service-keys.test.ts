import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Deployment, deployment } from './fixture.ts'

const SHOP = `Demo: project { #authMethod(email); }
User: service { name: string; #auth; }
HomeOwner: service { beds: int; #uses[Auth]; #was(Landlord); }
Order: service { #uses[User, Auth]; }`

/** The keys of a pair of services, which both have and nobody else. */
function keysOf(project: Deployment, caller: string, directory = caller): string[] {
  const file = `${caller}.auth.key`
  const text = project.read(`.secrets/auth/${file}`)
  expect(project.read(`.secrets/${directory}/${file}`)).toBe(text)
  const others = ['user', 'order', 'landlord', 'gateway'].filter((name) => name !== directory)
  for (const other of others)
    expect(existsSync(path.join(project.directory, '.secrets', other, file)), other).toBe(false)
  const keys = text.trimEnd().split('\n')
  for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/)
  return keys
}

async function running(definition = SHOP): Promise<Deployment> {
  const project = deployment(definition)
  const { status, stderr } = await project.deploy()
  expect(status, stderr).toBe(0)
  return project
}

test('each service that reads accounts shares a key with the authentication service, which stays', async () => {
  const project = await running()
  const keys = [keysOf(project, 'order'), keysOf(project, 'home-owner', 'landlord')]
  expect(keys.map(({ length }) => length)).toEqual([1, 1])
  expect(new Set(keys.flat()).size).toBe(2)
  expect(keys.flat()).not.toContain(project.read('.secrets/credentials').split(' ')[1]?.trim())
  await project.deploy()
  expect([keysOf(project, 'order'), keysOf(project, 'home-owner', 'landlord')]).toEqual(keys)
})

test('keys are rotated with the credential: known to both before they sign, and revoked with --finish', async () => {
  const project = await running()
  const [old] = keysOf(project, 'order')
  const script = project.read('deploy.sh').replace('sleep 0.1', 'cp -r .secrets between')
  project.write('deploy.sh', script)
  const rotated = await project.deploy('rotate')
  expect(rotated.status, rotated.stderr).toBe(0)
  const [current, previous] = keysOf(project, 'order')
  expect(previous).toBe(old)
  expect(current).not.toBe(old)
  const between = project.read('between/auth/order.auth.key')
  expect(between).toBe(`${old}\n${current}\n`)
  expect(project.read('between/order/order.auth.key')).toBe(between)
  await project.deploy('rotate', '--finish')
  expect(keysOf(project, 'order')).toEqual([current])
  // The name of the first credential is used again, but not its key.
  await project.deploy('rotate')
  const [newest, last] = keysOf(project, 'order')
  expect(last).toBe(current)
  expect([old, current]).not.toContain(newest)
})

test('a service that is added gets a key, and the others keep theirs', async () => {
  const project = await running(SHOP.replace('#uses[User, Auth]', '#uses[User]'))
  const before = keysOf(project, 'home-owner', 'landlord')
  const script = project.read('deploy.sh').replace("CALLS='", "CALLS='order.auth=order ")
  project.write('deploy.sh', script)
  expect((await project.deploy()).status).toBe(0)
  expect(keysOf(project, 'order')).toHaveLength(1)
  expect(keysOf(project, 'home-owner', 'landlord')).toEqual(before)
})

test('destroy deletes them', async () => {
  const project = await running()
  const { status, stderr } = await project.deploy('destroy', '--yes')
  expect(status, stderr).toBe(0)
  expect(existsSync(path.join(project.directory, '.secrets'))).toBe(false)
})

test('a platform whose services read no accounts has none', async () => {
  const project = await running(SHOP.replaceAll('Auth]', 'User]').replace('#uses[User, User]', ''))
  expect(project.read('deploy.sh')).not.toMatch(/keys/)
})
