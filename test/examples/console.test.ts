import { describe, expect, test } from 'vitest'
import { readSteps, runSteps, shape, withOutput } from './console.ts'

const README = `# Title

\`\`\`console
$ NAME=world
$ echo "hello $NAME"
hello world
\`\`\`

\`\`\`sh
not run
\`\`\`

\`\`\`console
$ cat <<END
> one
> two
> END
one
two
\`\`\`
`

describe('the commands of a README', () => {
  test('are read with what they print', () => {
    expect(readSteps(README)).toEqual([
      { command: 'NAME=world', output: '' },
      { command: 'echo "hello $NAME"', output: 'hello world\n' },
      { command: 'cat <<END\none\ntwo\nEND', output: 'one\ntwo\n' },
    ])
  })

  test('run in one shell', async () => {
    expect(await runSteps(readSteps(README), 'localhost:1')).toEqual(['', 'hello world\n', 'one\ntwo\n'])
  })

  test('use the address of the running gateway', async () => {
    const steps = readSteps('```console\n$ echo http://localhost:8080/api; echo localhost:1 >&2\n```\n')
    expect(await runSteps(steps, 'localhost:1')).toEqual(['http://localhost:8080/api\nlocalhost:8080\n'])
  })

  test('keep recorded output that differs only in ids and times', () => {
    const id = (digit: string) => `${digit.repeat(8)}-aaaa-7aaa-8aaa-aaaaaaaaaaaa`
    const readme = `\`\`\`console\n$ one\n{"id":"${id('1')}","at":"2026-01-01T00:00:00Z"}\n$ two\nold\n\`\`\``
    const printed = [`{"id":"${id('2')}","at":"2027-01-01T00:00:00.25Z"}\n`, 'new\n']
    expect(withOutput(readme, printed)).toBe(readme.replace('old', 'new'))
  })

  test('differ in shape where anything else differs', () => {
    expect(shape('{"total":3}')).not.toBe(shape('{"total":4}'))
    expect(shape('{"AccessToken":"eyJhbGci.eyJpZCI6.c2ln"}')).toBe('{"AccessToken":"<token>"}')
  })
})
