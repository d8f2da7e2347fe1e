import { describe, expect, test } from 'vitest'
import { scheduleProblem } from '../../../src/language/cron.ts'
import { expectDiagnostics } from '../../host.ts'

const home = (members: string) =>
  `P: project {}\nHost: service {}\nHome: service {\nname: string;\nPhoto: struct { n: int; }\n${members}\n}`
const job = (members: string) => home(`Remind: job {\n${members}\n}`)

describe('a job', () => {
  test.each([
    '',
    'text: string(500); due: date? ; amount: decimal = 1.50; kind: enum(a, b) = a; image: data(1k);',
    'host: Host; home: Home?; at: datetime = now;',
    '#schedule("0 3 * * *");',
    '#was(Nudge); text: string;',
  ])('with %s is valid', (members) => {
    expectDiagnostics(job(members))
  })
  test('is declared in a service', () => {
    expectDiagnostics('P: project {}\n«Remind»: job {}\nHome: service {}', 'misplaced-block')
    expectDiagnostics(home('Part: struct { «Remind»: job {} }'), 'misplaced-block')
  })
  test('has a name that is free in its service', () => {
    expectDiagnostics(home('«Photo»: job {}'), 'duplicate-block')
    expectDiagnostics(home('«Home»: job {}'), 'duplicate-block')
    expectDiagnostics(home('Remind: job {} «Remind»: job {}'), 'duplicate-block')
    expectDiagnostics(home('Remind: endpoint { #get("x"); } «Remind»: job {}'), 'duplicate-block')
    expectDiagnostics(`${home('List: job {} Remind: job {}')} Other: service { Remind: job {} }`)
  })
  test('is no type', () => {
    expectDiagnostics(home('Remind: job {} r: «Remind»;'), 'unknown-type')
    expectDiagnostics(job('photo: «Photo»;'), 'struct-out-of-reach')
  })
  test('has a former name that no other job of the service has', () => {
    expectDiagnostics(home('Nudge: job {} Remind: job { #was(«Nudge»); }'), 'former-name-in-use')
    expectDiagnostics(home('A: job { #was(Nudge); } B: job { #was(«Nudge»); }'), 'duplicate-former-name')
    expectDiagnostics(`${home('A: job { #was(Nudge); }')} Nudge: service {}`)
  })
})

describe('the attributes of a job', () => {
  test.each(['unique', 'server', 'serverSet', 'client'])('are not @%s', (annotation) => {
    expectDiagnostics(job(`text: string @«${annotation}»;`), 'misplaced-annotation')
  })
  test('are checked as others are', () => {
    expectDiagnostics(job('a: string(«2», 3);'), 'reversed-bounds')
    expectDiagnostics(job('a: int; «a»: string;'), 'duplicate-attribute')
    expectDiagnostics(job('a: int(3) = «4»;'), 'default-out-of-bounds')
    expectDiagnostics(job('#«enumerable»;'), 'misplaced-metadata')
  })
  test('are none with a schedule', () => {
    expectDiagnostics(job('#schedule("0 3 * * *"); «text»: string;'), 'scheduled-payload')
  })
})

describe('a schedule', () => {
  test.each(['* * * * *', '*/15 0-5,22 1,15 1-12/3 0-6', '0 0 29 2 *', '0 0 31 2 1'])(
    '%s is valid',
    (text) => {
      expect(scheduleProblem(text)).toBeUndefined()
    },
  )
  test.each([
    ['', 'five fields'],
    ['0 3 * *', 'five fields'],
    ['0 3 * * * *', 'five fields'],
    ['0  3 * * *', 'five fields'],
    ['60 3 * * *', 'the minute is'],
    ['0 24 * * *', 'the hour is'],
    ['0 3 0 * *', 'the day of the month is'],
    ['0 3 * 13 *', 'the month is'],
    ['0 3 * * 7', 'the day of the week is'],
    ['0 3 * * MON', 'the day of the week is'],
    ['5-3 * * * *', 'the minute is'],
    ['5/15 * * * *', 'the minute is'],
    ['*/0 * * * *', 'the minute is'],
    ['1, * * * *', 'the minute is'],
    ['-1 * * * *', 'the minute is'],
    ['0 3 *,1 * 1', 'the day of the month is'],
    ['0 3 1 * */1', 'the day of the week is'],
    ['0 0 30 2 *', 'none of these months'],
    ['0 0 31 4,6,9,11 *', 'none of these months'],
  ])('%s is invalid: %s', (text, problem) => {
    expect(scheduleProblem(text)).toContain(problem)
  })
  test('is in quotes, and in a job', () => {
    expectDiagnostics(job('#schedule(«"3:00"»);'), 'invalid-schedule')
    expectDiagnostics(job('#schedule(«daily»);'), 'wrong-argument-kind')
    expectDiagnostics(job('#«schedule»;'), 'missing-value')
    expectDiagnostics(home('#«schedule»("0 3 * * *");'), 'misplaced-metadata')
  })
})
