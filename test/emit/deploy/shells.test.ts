import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { place } from './fixture.ts'

// Everywhere but where a program must not be missing, a test of an absent shell is left out.
const present = (program: string): boolean =>
  process.env['PORTICO_REQUIRE_ALL'] === '1' || spawnSync(program, ['-c', 'true']).error === undefined

/** What a shell can be asked about itself, without what differs at every moment. */
const STATE = {
  bash: 'set +o; shopt -p; trap; alias; declare -F; ulimit -a; umask; compgen -v | grep -v -e "^_$" -e ^BASH_ -e ^PIPESTATUS -e ^GATEWAY_ENTRY -e ^COLUMNS -e ^LINES | sort; pwd; echo "$#:$*:$IFS"',
  zsh: 'setopt ksh_option_print; setopt; unsetopt ksh_option_print; trap; alias; print -l ${(ok)functions}; umask; print -l ${(ok)parameters} | grep -v -e GATEWAY_ENTRY -e "^[?_!#*@-]" -e pipestatus; pwd; echo "$#:$*:$IFS"',
}

const CALLERS = {
  'nothing special': '',
  'set -u': 'set -u',
  pipefail: 'set -o pipefail',
  noclobber: 'set -o noclobber',
  noglob: 'set -f',
  'an odd IFS': 'IFS=/.e',
  'traps and functions': `trap 'true' EXIT; trap ':' INT; docker() { return 9; }; cd() { return 9; }; command_not_found_handle() { :; }`,
  aliases: `alias export='echo no' unset='echo no' printf='echo no' eval='echo no' bash='echo no' command='echo no' return='echo no'`,
}
const BASH_CALLERS = {
  ...CALLERS,
  'aliases that expand': `shopt -s expand_aliases\n${CALLERS.aliases}`,
  'exported functions and options': `docker() { echo no; }; cd() { echo no; }; export -f docker cd; set -u; export SHELLOPTS; CDPATH=/:/tmp; export CDPATH`,
  posix: 'set -o posix',
}
const ZSH_CALLERS = {
  ...CALLERS,
  'strict options': 'setopt nomatch no_sh_word_split err_return warn_create_global no_multios',
  'options of other shells': 'setopt ksh_arrays sh_word_split no_function_argzero posix_builtins',
  'emulate sh': 'emulate sh',
}

describe.each([
  ['bash', BASH_CALLERS],
  ['zsh', ZSH_CALLERS],
] as const)('%s', (shell, callers) => {
  describe.skipIf(!present(shell))('sourced', () => {
    test.each(Object.entries(callers))('with %s: only GATEWAY_ENTRY changes', async (_, prepare) => {
      const { shell: run, entry, fault } = await place()
      const state = `state() { \n${STATE[shell]}\n}`
      const script = (source: string) =>
        `${state}\n${prepare}\nbefore=''; after=''; status_seen=''\nbefore=$(state 2>&1)\n${source} >&2\nstatus_seen=$?\nafter=$(state 2>&1)
\\builtin printf '%s|%s|' "$status_seen" "\${GATEWAY_ENTRY-unset}"
if [ "$before" = "$after" ]; then \\builtin printf same; else diff <(\\builtin printf %s "$before") <(\\builtin printf %s "$after"); fi`
      const good = await run(shell, script('. ./deploy.sh'))
      expect(good.stdout, good.stderr).toBe(`0|${entry}|same`)
      fault('daemon', 'no daemon')
      const bad = await run(shell, `GATEWAY_ENTRY=old\n${script('. ./deploy.sh')}`)
      expect(bad.stdout, bad.stderr).toBe('1|unset|same')
    })

    test('the variable reaches programs that the shell starts', async () => {
      const { shell: run, entry } = await place()
      const { stdout } = await run(shell, `. ./deploy.sh >&2; sh -c 'printf %s "$GATEWAY_ENTRY"'`)
      expect(stdout).toBe(entry)
    })

    test('under set -e a failure leaves the shell alive', async () => {
      const { shell: run, fault, entry } = await place()
      const good = await run(shell, 'set -eu; . ./deploy.sh >&2; printf "%s $-" "$GATEWAY_ENTRY"')
      expect(good.stdout).toMatch(new RegExp(`^${entry} .*e`))
      fault('daemon', 'no daemon')
      const { stdout, status } = await run(
        shell,
        'set -e; . ./deploy.sh >&2; printf "alive %s" "${GATEWAY_ENTRY-unset}"',
      )
      expect({ stdout, status }).toEqual({ stdout: 'alive unset', status: 0 })
    })

    test('it leaves no file open', async () => {
      const { shell: run } = await place()
      const { stdout } = await run(
        shell,
        '. ./deploy.sh >&2; for n in 3 4; do (: >&$n) 2>/dev/null && echo $n; done',
      )
      expect(stdout).toBe('')
    })

    test('from another directory, through a link, in a function', async () => {
      const { shell: run, directory, entry } = await place()
      const elsewhere = path.join(directory, '..', 'elsewhere')
      mkdirSync(elsewhere)
      symlinkSync(path.join(directory, 'deploy.sh'), path.join(elsewhere, 'link.sh'))
      const show = '>&2; printf "%s %s\n" "$GATEWAY_ENTRY" "${PWD##*/}"'
      const relative = `../${path.basename(directory)}/deploy.sh`
      for (const script of [
        `cd ../elsewhere; . ./link.sh ${show}`,
        `cd ../elsewhere; f() { . ./link.sh; }; f ${show}`,
        `cd ../elsewhere; . "$1" ${show}`.replace('$1', relative.replaceAll('$', '\\$')),
        `cd ../elsewhere; PATH="$OLDPWD:$PATH"; source deploy.sh ${show}`,
      ]) {
        const { stdout, stderr } = await run(shell, script)
        expect(stdout, stderr).toBe(`${entry} elsewhere\n`)
      }
    })

    test('arguments of a script that sources it are not taken for commands', async () => {
      const { shell: run, entry } = await place()
      const { stdout, stderr } = await run(
        shell,
        'set -- --verbose x; . ./deploy.sh >&2; printf %s "$GATEWAY_ENTRY $*"',
      )
      expect(stdout, stderr).toBe(`${entry} --verbose x`)
    })

    test('it says the same as when it is executed, but for the variable', async () => {
      const { shell: run, deploy, entry } = await place()
      const sourced = await run(shell, '. ./deploy.sh')
      expect(sourced.stdout).toContain(`Demo runs at http://${entry}`)
      expect(sourced.stdout.trimEnd().split('\n').at(-1)).toBe(`GATEWAY_ENTRY=${entry}`)
      const executed = await deploy()
      expect(executed.stdout).toContain(`GATEWAY_ENTRY=${entry} does not reach your shell`)
      expect(executed.stdout).toContain('source deploy.sh')
    })

    test('a command that is sourced gives its status, and leaves the variable alone', async () => {
      const { shell: run } = await place()
      const { stdout } = await run(
        shell,
        'GATEWAY_ENTRY=old; . ./deploy.sh --help >&2; printf "%s %s " $? $GATEWAY_ENTRY; . ./deploy.sh scale nothing 1; printf "%s %s" $? $GATEWAY_ENTRY',
      )
      expect(stdout).toBe('0 old 1 old')
    })
  })
})

test.each(['bash', 'sh', 'zsh'].filter(present))('%s runs it as a program', async (shell) => {
  const { shell: run, entry } = await place()
  const { stdout, status } = await run('bash', `${shell} deploy.sh`)
  expect(stdout).toContain(`Demo runs at http://${entry}`)
  expect(status).toBe(0)
})

test.skipIf(!present('shellcheck'))('shellcheck has nothing to say', async () => {
  for (const definition of [undefined, 'Demo: project {}\nHome: service { beds: int; }']) {
    const { shell: run } = await place(definition)
    const { stdout } = await run('bash', 'shellcheck --shell=bash deploy.sh')
    expect(stdout).toBe('')
  }
})
