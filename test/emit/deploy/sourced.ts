import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { deployment, ENTRY } from './fixture.ts'

/** What a shell can be asked about itself, without what differs at every moment. */
const STATE = {
  bash: 'set +o; shopt -p; trap; alias; declare -F; ulimit -a; umask; compgen -v | grep -v -e "^_$" -e ^BASH_ -e ^PIPESTATUS -e ^GATEWAY_ENTRY -e ^COLUMNS -e ^LINES | sort; pwd; echo "$#:$*:$IFS"',
  zsh: 'setopt ksh_option_print; setopt; unsetopt ksh_option_print; trap; alias; print -l ${(ok)functions}; umask; print -l ${(ok)parameters} | grep -v -e GATEWAY_ENTRY -e "^[?_!#*@-]" -e pipestatus; pwd; echo "$#:$*:$IFS"',
}

const ANY_SHELL = {
  'nothing special': '',
  'set -u': 'set -u',
  pipefail: 'set -o pipefail',
  noclobber: 'set -o noclobber',
  noglob: 'set -f',
  'an odd IFS': 'IFS=/.e',
  'traps and functions': `trap 'true' EXIT; trap ':' INT; docker() { return 9; }; cd() { return 9; }; command_not_found_handle() { :; }`,
  aliases: `alias export='echo no' unset='echo no' printf='echo no' eval='echo no' bash='echo no' command='echo no' return='echo no'`,
}
/** What a shell may have set before it sources the script. */
const CALLERS = {
  bash: {
    ...ANY_SHELL,
    'aliases that expand': `shopt -s expand_aliases\n${ANY_SHELL.aliases}`,
    'exported functions and options': `docker() { echo no; }; cd() { echo no; }; export -f docker cd; set -u; export SHELLOPTS; CDPATH=/:/tmp; export CDPATH`,
    posix: 'set -o posix',
  },
  zsh: {
    ...ANY_SHELL,
    'strict options': 'setopt nomatch no_sh_word_split err_return warn_create_global no_multios',
    'options of other shells': 'setopt ksh_arrays sh_word_split no_function_argzero posix_builtins',
    'emulate sh': 'emulate sh',
  },
}

/** Registers the tests of deploy.sh sourced in a shell. */
export function sourcedIn(shell: 'bash' | 'zsh'): void {
  describe(`sourced in ${shell}`, () => {
    test.each(Object.entries(CALLERS[shell]))('with %s: only GATEWAY_ENTRY changes', async (_, prepare) => {
      const { shell: run, fault } = deployment()
      const state = `state() { \n${STATE[shell]}\n}`
      const script = (source: string) =>
        `${state}\n${prepare}\nbefore=''; after=''; status_seen=''\nbefore=$(state 2>&1)\n${source} >&2\nstatus_seen=$?\nafter=$(state 2>&1)
\\builtin printf '%s|%s|' "$status_seen" "\${GATEWAY_ENTRY-unset}"
if [ "$before" = "$after" ]; then \\builtin printf same; else diff <(\\builtin printf %s "$before") <(\\builtin printf %s "$after"); fi`
      const good = await run(shell, script('. ./deploy.sh'))
      expect(good.stdout, good.stderr).toBe(`0|${ENTRY}|same`)
      fault('version', 'no daemon')
      const bad = await run(shell, `GATEWAY_ENTRY=old\n${script('. ./deploy.sh')}`)
      expect(bad.stdout, bad.stderr).toBe('1|unset|same')
    })

    test('programs that the shell starts see the variable', async () => {
      const { stdout } = await deployment().shell(shell, `. ./deploy.sh; sh -c 'printf %s "$GATEWAY_ENTRY"'`)
      expect(stdout).toBe(ENTRY)
    })

    test('a variable that precedes the command reaches the script', async () => {
      const { shell: run, script, read } = deployment()
      script('version', 'printf %s "$REGISTRY" >seen')
      await run(shell, "REGISTRY='a b/' . ./deploy.sh")
      expect(read('seen')).toBe('a b/')
    })

    test('an IPv6 address is not expanded', async () => {
      const { shell: run, answer } = deployment()
      answer('compose-port', '[::]:8080\n')
      expect((await run(shell, '. ./deploy.sh; printf %s "$GATEWAY_ENTRY"')).stdout).toBe('[::1]:8080')
    })

    test('under set -e, a failure does not end the shell', async () => {
      const { shell: run, fault } = deployment()
      const good = await run(shell, 'set -eu; . ./deploy.sh; printf "%s $-" "$GATEWAY_ENTRY"')
      expect(good.stdout).toMatch(new RegExp(`^${ENTRY} .*e`))
      fault('version', 'no daemon')
      const script = 'set -e; . ./deploy.sh; printf "alive %s" "${GATEWAY_ENTRY-unset}"'
      expect(await run(shell, script)).toMatchObject({ stdout: 'alive unset', status: 0 })
    })

    test('from another directory, through a link, in a function', async () => {
      const { shell: run, directory } = deployment()
      const elsewhere = path.join(directory, '..', 'elsewhere')
      mkdirSync(elsewhere)
      symlinkSync(path.join(directory, 'deploy.sh'), path.join(elsewhere, 'link.sh'))
      const show = '>&2; printf "%s %s\n" "$GATEWAY_ENTRY" "${PWD##*/}"'
      const relative = `../${path.basename(directory)}/deploy.sh`.replaceAll('$', '\\$')
      for (const script of [
        `cd ../elsewhere; . ./link.sh ${show}`,
        `cd ../elsewhere; f() { . ./link.sh; }; f ${show}`,
        `cd ../elsewhere; . "${relative}" ${show}`,
        `cd ../elsewhere; PATH="$OLDPWD:$PATH"; source deploy.sh ${show}`,
      ]) {
        const { stdout, stderr } = await run(shell, script)
        expect(stdout, stderr).toBe(`${ENTRY} elsewhere\n`)
      }
    })

    test.each(['destroy --yes', 'stop', '--verbose x'])(
      'the arguments of its caller are not its own: %s',
      async (args) => {
        const { shell: run, calls } = deployment()
        const script = `set -- ${args}; . ./deploy.sh; printf %s "$GATEWAY_ENTRY $*"`
        expect((await run(shell, script)).stdout).toBe(`${ENTRY} ${args}`)
        const given = `. ./deploy.sh ${args}; printf %s "$GATEWAY_ENTRY"`
        expect((await run(shell, given)).stdout).toBe(ENTRY)
        expect(calls().filter((call) => /down|stop/.test(call))).toEqual([])
      },
    )
  })
}
