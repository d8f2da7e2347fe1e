// @vitest-environment jsdom

import mermaid from 'mermaid'
import { expect, test } from 'vitest'
import { diagramMermaid } from '../../../src/emit/diagram/mermaid.ts'
import { platformOf } from '../platform.ts'
import { LINKS, PLATFORMS } from './definitions.ts'

test('structs are parts, references are arrows named after the attribute', () => {
  expect(diagramMermaid(platformOf(LINKS))).toBe(`classDiagram
  direction LR
  class User {
    <<all read, creator writes>>
    name: string @unique
  }
  class Shelf {
    <<all read and write>>
    owner: User
    last: Book @server
  }
  class Slot {
    <<struct>>
    at: Shelf
    of: User
    note: string
  }
  class Label {
    <<struct>>
    slot: Slot
  }
  class Book {
    <<creator reads and writes>>
    shelf: Shelf
  }
  Shelf *-- "*" Slot
  Slot --> Shelf : at
  Shelf *-- "*" Label
  Label --> Slot : slot
  Shelf --> User : owner
  Shelf --> Book : last
  Slot --> User : of
  Book --> Shelf : shelf
  Book ..> User : uses
`)
})

test.each(PLATFORMS)("Mermaid's own parser takes %s", async (_, platform) => {
  expect(await mermaid.parse(diagramMermaid(platform))).toMatchObject({ diagramType: 'classDiagram' })
})

test("Mermaid's parser accepts names that are keywords of its language", async () => {
  const words = [
    'Class',
    'ClassDef',
    'Note',
    'Namespace',
    'Direction',
    'Link',
    'Click',
    'Call',
    'Style',
    'End',
  ]
  const more = ['Default', 'LR', 'TB', 'AccTitle', 'Callback', 'Href', 'CssClass', 'For', 'X1', 'Object']
  const services = [...words, ...more].map(
    (word, index, all) => `${word}: service {
      class: string?; note: int? = 3; direction: date; end: bool; link: string @server; of: ${all[index + 1] ?? 'Constructor'};
      ${word}Part: struct { style: string; namespace: int; click: ${word}; }
    }`,
  )
  const text = `Words: project {} ${services.join('\n')} Constructor: service { constructor: int; }`
  expect(await mermaid.parse(diagramMermaid(platformOf(text)))).toMatchObject({ diagramType: 'classDiagram' })
})
