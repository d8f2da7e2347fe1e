import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleExplorer } from '../../../scripts/bundle-explorer.mjs'
import { readAssets } from '../../../src/dev/explorer/assets.ts'
import { deployedExplorer } from '../../../src/emit/explorer/deployed.ts'
import { gatewayRoutes } from '../../../src/model/routes.ts'
import { platformOf } from '../../emit/platform.ts'
import { startEnvoy } from '../../gateway/envoy-process.ts'
import { serviceProcesses } from '../../gateway/services.ts'
import { launchBrowser, openWindow } from './browser.ts'
import { CLUB, createAndListNote, newUser, send } from './page.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const platform = platformOf(CLUB)
const stops: (() => Promise<void> | void)[] = []
let origin: string

/** Starts the services, Envoy in front of them, and the explorer package in front of Envoy. */
beforeAll(async () => {
  const services = await serviceProcesses(platform)
  stops.push(services.stop)
  const replicas = await Promise.all(
    gatewayRoutes(platform).map(
      async ({ directory }) => [directory, [(await services.start(directory)).port]] as const,
    ),
  )
  const envoy = await startEnvoy(platform, {
    services: Object.fromEntries(replicas),
    secrets: [services.credential.secret, randomBytes(32).toString('base64url')],
  })
  stops.push(envoy.stop)

  const directory = mkdtempSync(path.join(tmpdir(), 'portico-explorer-'))
  stops.push(() => rmSync(directory, { recursive: true, force: true }))
  const assets = path.join(directory, 'assets/')
  await bundleExplorer(ROOT, assets)
  for (const file of deployedExplorer(platform, readAssets(pathToFileURL(assets)))) {
    const target = path.join(directory, 'explorer', file.path)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, file.content)
  }
  const explorer = spawn(process.execPath, ['server.ts'], {
    cwd: path.join(directory, 'explorer'),
    env: { GATEWAY: `http://127.0.0.1:${envoy.port}`, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stops.push(() => void explorer.kill('SIGKILL'))
  const line = await new Promise<string>((resolve) => createInterface(explorer.stdout).once('line', resolve))
  origin = `http://localhost:${/port (\d+)/.exec(line)?.[1]}`
})

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

test('with a deployed platform, a user creates and lists a note, and another user cannot change it', async () => {
  const browser = await launchBrowser()
  stops.push(() => browser.close())
  const { page, errors, close } = await openWindow(browser, origin)
  await page.goto(origin)
  await newUser(page, 'Ada')
  await createAndListNote(page, origin)
  await newUser(page, 'Ben')
  expect(await send(page)).toBe('403 Forbidden')

  // A deployed explorer has no event stream, so that it shows neither a log nor health.
  expect(await page.getByRole('log').count()).toBe(0)
  expect(await page.locator('.health').count()).toBe(0)
  // Nor does it have rows of databases, nor know the code of services.
  expect(await page.getByRole('link', { name: 'Rows' }).count()).toBe(0)
  await page.goto(`${origin}/#/rows/Note/Note`)
  expect(await page.getByRole('main').innerText()).toBe('')
  expect((await page.request.get(`${origin}/_explorer/rows/note/Note`)).status()).toBe(404)
  await page.goto(`${origin}/#/access`)
  const update = page.getByRole('region', { name: 'Access to Note' }).getByRole('row', { name: 'PUT update' })
  expect(await update.first().getByRole('cell').allInnerTexts()).toEqual(['no', 'no', 'yes'])
  expect(await page.getByRole('main').innerText()).toContain('If it has hooks, they can refuse')
  await page.goto(`${origin}/#/diagram`)
  await page.locator('[data-declaration="Note"]').waitFor()
  const description = await page.request.get(`${origin}/api/openapi.json`)
  expect(await description.json()).toMatchObject({ openapi: '3.1.1' })
  expect(errors).toEqual([])
  await close()
})
