import { JSDOM } from 'jsdom'
import { expect, test } from 'vitest'
import { diagramPage } from '../../vscode-extension/src/diagram/page.ts'

const page = diagramPage({
  source: 'https://webview.test',
  script: 'https://webview.test/main.js?a=1&b="2"',
  style: 'https://webview.test/diagram.css',
  nonce: 'abc123',
  uri: 'file:///"><script>alert(1)</script>.portico',
})

test('the policy allows the resources of the page only', () => {
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
  expect(policy?.split('; ')).toEqual([
    "default-src 'none'",
    "style-src https://webview.test 'nonce-abc123'",
    "script-src 'nonce-abc123'",
    "base-uri 'none'",
    "form-action 'none'",
  ])
  expect(page).not.toMatch(/unsafe-|\sstyle=|\son\w+=/)
})

test('URIs are escaped', () => {
  expect(page).toContain('data-uri="file:///&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;.portico"')
  expect(page.match(/<script/g)).toHaveLength(1)
})

test('every control has an accessible name', () => {
  const { document } = new JSDOM(page, { contentType: 'text/html' }).window
  const buttons = Array.from(document.querySelectorAll('#toolbar > button'))
  expect(buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual([
    'Zoom out',
    'Zoom to actual size',
    'Zoom in',
    'Fit',
    'Export',
  ])
  expect(document.querySelectorAll('[role="status"]')).toHaveLength(1)
})
