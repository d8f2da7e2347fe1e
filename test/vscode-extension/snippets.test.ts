import { expect, test } from 'vitest'
import snippets from '../../vscode-extension/snippets/portico.json' with { type: 'json' }
import { checkText } from '../../src/language/parse.ts'

/** A snippet as it stands when nothing was typed into it. */
function filledIn({ body }: { readonly body: readonly string[] }): string {
  return body
    .join('\n')
    .replace(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1')
    .replace(/\$\{\d+:([^}]*)\}/g, '$1')
    .replace(/\$\d+/g, '')
}

const PROJECT = 'Shop: project {\n  #authMethod(email);\n}\n'
const USERS = 'Person: service {\n  #auth;\n}\n'

test.each([
  ['A whole definition', (text: string) => text],
  ['Service', (text: string) => PROJECT + USERS + text],
  ['Service of users', (text: string) => PROJECT + text],
  ['Struct', (text: string) => `${PROJECT}${USERS}Home: service {\n${text}\n}\n`],
  ['Documentation', (text: string) => `${text}\n${PROJECT}${USERS}`],
] as const)('%s is valid as it comes', (name, around) => {
  const errors = checkText(around(filledIn(snippets[name]))).diagnostics.filter(
    ({ severity }) => severity === 'error',
  )
  expect(errors.map(({ message }) => message)).toEqual([])
})
