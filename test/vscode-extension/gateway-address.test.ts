import { expect, test } from 'vitest'
import { findGatewayAddress } from '../../vscode-extension/src/gateway-address.ts'

function addresses(...chunks: string[]): string[] {
  const result: string[] = []
  const read = findGatewayAddress((address) => result.push(address))
  for (const chunk of chunks) read(chunk)
  return result
}

test('the address is found in chunks of any size', () => {
  const text = 'Stays is ready\r\nGATEWAY_ENTRY=localhost:8080\r\n'
  expect(addresses(text)).toEqual(['localhost:8080'])
  expect(addresses(...text.split(''))).toEqual(['localhost:8080'])
})

test('an incomplete line, or one that only mentions the address, is ignored', () => {
  expect(addresses('see GATEWAY_ENTRY=localhost:1\nGATEWAY_ENTRY=\nGATEWAY_ENTRY=localhost:80')).toEqual([])
})
