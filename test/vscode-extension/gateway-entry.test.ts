import { expect, test } from 'vitest'
import { watchForGateway } from '../../vscode-extension/src/gateway-entry.ts'

function addresses(...pieces: string[]): string[] {
  const found: string[] = []
  const watch = watchForGateway((address) => found.push(address))
  for (const piece of pieces) watch(piece)
  return found
}

test('the address is found however its line is cut', () => {
  const text = 'Stays is ready\r\nGATEWAY_ENTRY=localhost:8080\r\n'
  expect(addresses(text)).toEqual(['localhost:8080'])
  expect(addresses(...text.split(''))).toEqual(['localhost:8080'])
})

test('a line that only mentions it, or is not finished, names no address', () => {
  expect(addresses('see GATEWAY_ENTRY=localhost:1\nGATEWAY_ENTRY=\nGATEWAY_ENTRY=localhost:80')).toEqual([])
})
