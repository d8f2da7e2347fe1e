import { describe, expect, test } from 'vitest'
import { diagram } from '../../../src/emit/diagram/diagram.ts'
import { diagramStyle } from '../../../src/emit/diagram/style.ts'
import { diagramSvg } from '../../../src/emit/diagram/svg.ts'
import { platformOf } from '../platform.ts'
import { LINKS } from './definitions.ts'

const picture = diagram(platformOf(LINKS))

describe('a drawn diagram', () => {
  test('is an image with a title and a description', () => {
    const svg = diagramSvg(picture)
    expect(svg).toContain('role="img"')
    expect(svg).toContain('<title>Diagram of Links</title>')
    expect(svg).toContain('Slot.of refers to User. Book.shelf refers to Shelf. Book uses User.')
    expect(svg).not.toContain('role="link"')
  })

  test('names every service and struct for hosts that link to them', () => {
    const svg = diagramSvg(picture, { interactive: true })
    const links = [...svg.matchAll(/data-declaration="(\w+)" tabindex="0" role="link" aria-label="([^"]+)"/g)]
    expect(links.map(([, name, label]) => [name, label])).toEqual([
      ['User', 'Service User: all read, creator writes'],
      ['Shelf', 'Service Shelf: all read and write'],
      ['Slot', 'Struct Slot'],
      ['Label', 'Struct Label'],
      ['Book', 'Service Book: creator reads and writes'],
    ])
    expect(svg).toContain('role="group"')
  })

  test('contains nothing that a strict content security policy forbids', () => {
    const svg = diagramSvg(picture, { interactive: true, standalone: false })
    expect(svg).not.toMatch(/<script|<style|style=|href|url\(|\bon\w+=|\bid=/)
  })

  test("is light, dark, or follows the reader's system", () => {
    expect(diagramSvg(picture)).toContain('@media(prefers-color-scheme:dark)')
    for (const theme of ['light', 'dark'] as const)
      expect(diagramSvg(picture, { theme })).not.toContain('prefers-color-scheme')
    expect(diagramStyle('dark')).not.toBe(diagramStyle('light'))
  })

  test('escapes documentation', () => {
    const text = `Odd: project {} /** </title><script>alert("'&")</script> \u0001 */ Thing: service {}`
    const svg = diagramSvg(diagram(platformOf(text)))
    expect(svg).toContain('&#60;/title&#62;&#60;script&#62;alert(&#34;&#39;&#38;&#34;)&#60;/script&#62;')
    expect(svg).not.toContain('\u0001')
  })
})
