import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createContext, type Context } from '../../src/cli/context.ts'
import { Failure } from '../../src/cli/failure.ts'
import type { Prompts } from '../../src/cli/prompts.ts'
import { answerQuestions, type KnownAnswers, type Question } from '../../src/cli/questions.ts'
import { temporaryDirectory } from './harness.ts'
import { MODULE } from './module-question.ts'

const NOTHING: KnownAnswers = { given: () => undefined, remembered: {} }
const WITH_DEFAULT: Question = { ...MODULE, default: 'example.org/shop' }

function context(interactive: boolean): Context {
  const { stdin, stdout, stderr } = process
  const surroundings = { cwd: '/', env: {}, stdin, stdout, stderr, signal: new AbortController().signal }
  return { ...createContext(surroundings, { color: 'never', quiet: false, yes: false }), interactive }
}

/** Prompts of which each answers with `answer`, or with what Enter gives. */
function typing(answer: string | undefined, asked: string[] = []): () => Promise<Prompts> {
  const text: Prompts['text'] = async ({ message, default: initial, check }) => {
    asked.push(`${message} (${initial})`)
    const typed = answer ?? initial
    const verdict = check(typed)
    if (verdict !== true) throw new Error(verdict)
    return typed
  }
  return async () => ({ text, confirm: async () => false, choose: async (question) => question.default })
}

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failure)) throw new Error(`No failure: ${String(error)}`)
  return error
}

describe('an answer', () => {
  it('comes from the command line before all else', async () => {
    const known = { given: () => 'given', remembered: { module: 'remembered' } }
    expect(await answerQuestions([WITH_DEFAULT], known, context(true), typing('typed'))).toEqual({
      module: 'given',
    })
  })

  it('is remembered, and not asked for again', async () => {
    const asked: string[] = []
    const known = { ...NOTHING, remembered: { module: 'remembered' } }
    expect(await answerQuestions([MODULE], known, context(true), typing('typed', asked))).toEqual({
      module: 'remembered',
    })
    expect(asked).toEqual([])
  })

  it('is asked for on a terminal, with the default to be taken', async () => {
    const asked: string[] = []
    expect(await answerQuestions([MODULE], NOTHING, context(true), typing('typed', asked))).toEqual({
      module: 'typed',
    })
    expect(await answerQuestions([WITH_DEFAULT], NOTHING, context(true), typing(undefined, asked))).toEqual({
      module: 'example.org/shop',
    })
    expect(asked).toEqual([`${MODULE.message} ()`, `${MODULE.message} (example.org/shop)`])
  })

  it('that is remembered and will not do any more is asked for again', async () => {
    const known = { ...NOTHING, remembered: { module: 'NOT GOOD' } }
    expect(await answerQuestions([MODULE], known, context(true), typing('typed'))).toEqual({
      module: 'typed',
    })
    expect((await failureOf(answerQuestions([MODULE], known, context(false)))).status).toBe(2)
  })

  it('is the default without a terminal', async () => {
    expect(await answerQuestions([WITH_DEFAULT], NOTHING, context(false))).toEqual({
      module: 'example.org/shop',
    })
  })

  it('that is missing without a terminal is an error that names the flag', async () => {
    const { status, message, advice } = await failureOf(answerQuestions([MODULE], NOTHING, context(false)))
    expect({ status, message, advice }).toEqual({
      status: 2,
      message: 'There is no answer to: What is the name of the module?',
      advice: 'Give it with --module <name>; it is remembered.',
    })
  })

  it('on the command line that will not do is an error that names the flag', async () => {
    const known = { ...NOTHING, given: () => 'A B' }
    const { status, message } = await failureOf(answerQuestions([MODULE], known, context(true)))
    expect({ status, message }).toEqual({
      status: 2,
      message: '--module <name>: It has small letters, dots and slashes alone.',
    })
  })

  it('is not inherited from Object', async () => {
    const question = { ...MODULE, key: 'constructor' }
    expect((await failureOf(answerQuestions([question], NOTHING, context(false)))).status).toBe(2)
  })
})

describe('generate with a question', () => {
  const GENERATE = fileURLToPath(new URL('generate-with-question.ts', import.meta.url))

  function project(): string {
    const cwd = temporaryDirectory()
    writeFileSync(join(cwd, 'shop.portico'), 'Shop: project {} Item: service { name: string; }')
    return cwd
  }

  async function generate(
    cwd: string,
    ...options: string[]
  ): Promise<{ status: number | null; stderr: string }> {
    const child = spawn(process.execPath, [GENERATE, 'shop.portico', ...options], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return { status, stderr }
  }

  function remembered(cwd: string): unknown {
    const text = readFileSync(join(cwd, 'shop/.portico/manifest.json'), 'utf8')
    return (JSON.parse(text) as { answers: unknown }).answers
  }

  it('ends with status 2 and the flag where nobody can answer', async () => {
    const cwd = project()
    for (const options of [[], ['--yes']]) {
      const { status, stderr } = await generate(cwd, ...options)
      expect(status).toBe(2)
      expect(stderr).toContain('--module <name>')
    }
  })

  it('remembers the answer for the next time', async () => {
    const cwd = project()
    expect((await generate(cwd, '--module', 'example.org/shop')).status).toBe(0)
    expect(remembered(cwd)).toEqual({ module: 'example.org/shop' })
    expect((await generate(cwd)).status).toBe(0)
    expect((await generate(cwd, '--module', 'example.org/other')).status).toBe(0)
    expect(remembered(cwd)).toEqual({ module: 'example.org/other' })
  })

  it('asks on a terminal until the answer will do', async () => {
    const cwd = project()
    const command = `'${process.execPath}' '${GENERATE}' shop.portico`
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd, stdio: 'pipe' })
    const typed = ['A B\r', '\u0015example.org/typed\r']
    const seen = [MODULE.message, 'small letters']
    let screen = ''
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString()
      if (seen[0] !== undefined && screen.includes(seen[0])) {
        seen.shift()
        child.stdin.write(typed.shift() ?? '')
      }
    })
    const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
    expect(status, screen).toBe(0)
    expect(remembered(cwd)).toEqual({ module: 'example.org/typed' })
  })

  it('changes nothing where the question is broken off', async () => {
    const cwd = project()
    const command = `'${process.execPath}' '${GENERATE}' shop.portico`
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd, stdio: 'pipe' })
    let screen = ''
    let done = false
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString()
      if (!done && screen.includes(MODULE.message)) {
        done = true
        child.stdin.write('\u0003')
      }
    })
    const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
    expect(status).toBe(2)
    expect(screen).toContain('The question was not answered')
    expect(() => remembered(cwd)).toThrow('ENOENT')
  })
})
