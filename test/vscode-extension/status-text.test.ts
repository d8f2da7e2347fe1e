import { expect, test } from 'vitest'
import { statusText } from '../../vscode-extension/src/status-text.ts'

const SHOP = { name: 'shop.portico', address: 'localhost:8080' }

test('without a definition and a platform there is nothing to say', () => {
  expect(statusText({ problems: undefined, platforms: [] })).toBeUndefined()
})

test.each([
  [{ errors: 0, warnings: 0 }, 'Portico $(check)', 'Portico, The definition is valid'],
  [{ errors: 1, warnings: 0 }, 'Portico $(error) 1', 'Portico, 1 error'],
  [{ errors: 2, warnings: 1 }, 'Portico $(error) 2  $(warning) 1', 'Portico, 2 errors, 1 warning'],
])('problems are counted: %o', (problems, text, label) => {
  expect(statusText({ problems, platforms: [] })).toMatchObject({ text, label })
})

test('a platform is shown with its address as soon as it answers', () => {
  const starting = { ...SHOP, address: undefined }
  expect(statusText({ problems: undefined, platforms: [starting] })).toMatchObject({
    text: 'Portico $(loading~spin) starting',
    label: 'Portico, shop.portico is starting',
  })
  expect(statusText({ problems: { errors: 0, warnings: 0 }, platforms: [SHOP] })).toEqual({
    text: 'Portico $(check)  $(play) localhost:8080',
    tooltip:
      '**Portico**\n\nThe definition is valid\n\nshop.portico runs at localhost:8080\n\nClick for what can be done.',
    label: 'Portico, The definition is valid, shop.portico runs at localhost:8080',
  })
})
