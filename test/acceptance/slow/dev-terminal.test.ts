import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { PORTICO, runOnTerminal, type Typing } from '../../cli/harness.ts'
import { call, createWorkplace, until, type Workplace } from '../../dev/run-platform.ts'

const NOTES = 'Tiny: project {}\nNote: service { text: string(100); #enumerable; }\n'
const CTRL_U = '\u0015'
const CTRL_C = '\u0003'
const DELETE = 'Delete `Note.text` in 1 row?'

let place: Workplace

/** A platform with one note, whose definition then lost the text. */
beforeEach(async () => {
  place = await createWorkplace(NOTES)
  const platform = await place.start()
  await call(platform, 'POST', '/api/note', { body: { text: 'hello' } })
  await platform.stop()
  await place.define(NOTES.replace('text: string(100);', ''))
})

afterEach(async () => {
  await place.close()
})

async function dev(typing: readonly Typing[]) {
  const args = ['dev', place.definition, '-o', place.output, '--port', '0']
  return runOnTerminal(args, place.directory, typing)
}

async function notes(): Promise<unknown> {
  const platform = await place.start()
  return (await call(platform, 'GET', '/api/note/all')).body['NoteList']
}

test('what was typed before a question appeared does not answer it', async () => {
  const { status, screen } = await dev([
    ['Writing the project', 'y\ry'],
    [DELETE, '\r'],
  ])
  expect(screen).toContain('Nothing was deleted')
  expect(status).toBe(2)
  await place.define(NOTES)
  expect(await notes()).toMatchObject([{ text: 'hello' }])
})

test('a newer save withdraws a question, and Ctrl-C stops the platform in a question too', async () => {
  const changed = NOTES.replace('text: string(100);', 'text: string(100); stars: int(max: 9);')
  const save = (text: string) => () => {
    writeFileSync(place.definition, text)
    return ''
  }
  const { status, screen } = await dev([
    [DELETE, save(changed)],
    ['Value of `Note.stars`', 'many\r'],
    ['must be an integer', `${CTRL_U}7\r`],
    ['GATEWAY_ENTRY=', save(NOTES)],
    ['Delete `Note.stars` in 1 row?', CTRL_C],
  ])
  expect(screen).toContain('The definition was saved again')
  expect(status, screen).toBe(0)
  await place.define(changed)
  expect(await notes()).toMatchObject([{ text: 'hello', stars: 7 }])
})

test('a program that shows the terminal, such as an editor, passes on what is typed', async () => {
  const args = [PORTICO, 'dev', place.definition, '-o', place.output, '--port', '0']
  const env = { ...process.env, PORTICO_SOURCE: '1', PORTICO_INTERACTIVE: '1', NO_COLOR: '1' }
  const child = spawn(process.execPath, args, { env, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  child.stdin.write('y\r')
  let screen = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (screen += text))
  await until(() => screen.includes(`${DELETE} This cannot be undone (y/N)`))
  expect(child.exitCode).toBe(null)
  child.stdin.write('y')
  await until(() => screen.includes('(y/N) y'))
  child.stdin.write('\r')
  await until(() => screen.includes('is ready'))
  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(screen.split('is ready')[0]).not.toContain('Nothing was deleted')
})
