import { expect, test } from 'vitest'
import { statusText } from '../../vscode-extension/src/status-text.ts'

const SHOP = { name: 'shop.portico', address: 'localhost:8080' }

test('the item is hidden without a definition and a platform', () => {
  expect(statusText({ problems: undefined, platforms: [] })).toBeUndefined()
})

test.each([
  [{ errors: 0, warnings: 0, isNotImported: false }, 'Portico $(check)', 'Portico, The definition is valid'],
  [
    { errors: 0, warnings: 0, isNotImported: true },
    'Portico $(circle-slash)',
    'Portico, No definition imports this file',
  ],
  [{ errors: 1, warnings: 0, isNotImported: false }, 'Portico $(error) 1', 'Portico, 1 error'],
  [
    { errors: 2, warnings: 1, isNotImported: false },
    'Portico $(error) 2  $(warning) 1',
    'Portico, 2 errors, 1 warning',
  ],
])('%o', (problems, text, label) => {
  expect(statusText({ problems, platforms: [] })).toMatchObject({ text, label })
})

test('a platform is shown with its address when it is ready', () => {
  const starting = { ...SHOP, address: undefined }
  expect(statusText({ problems: undefined, platforms: [starting] })).toMatchObject({
    text: 'Portico $(loading~spin) starting',
    label: 'Portico, shop.portico is starting',
  })
  expect(
    statusText({ problems: { errors: 0, warnings: 0, isNotImported: false }, platforms: [SHOP] }),
  ).toEqual({
    text: 'Portico $(check)  $(broadcast) localhost:8080',
    tooltip:
      '**Portico**\n\nThe definition is valid\n\nshop.portico is running at localhost:8080\n\nClick to show the menu.',
    label: 'Portico, The definition is valid, shop.portico is running at localhost:8080',
  })
})
