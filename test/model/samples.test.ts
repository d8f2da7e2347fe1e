import { describe, expect, it } from 'vitest'
import type { Attribute } from '../../src/model/platform.ts'
import { sampleValues, type SampleValue } from '../../src/model/samples.ts'
import { platformOf } from '../emit/platform.ts'

function samples(attributes: string): SampleValue[] {
  const platform = platformOf(`P: project {} A: service { x: bool; } S: service { ${attributes} }`)
  const found: readonly Attribute[] = platform.services[1]?.entity.attributes ?? []
  return sampleValues(found).map(([, value]) => value)
}

describe('a sample value', () => {
  it('is within the bounds of its attribute', () => {
    expect(samples('a: int; b: int(9, 5); c: int(-3); d: float(0.5); e: float(min: 2.5);')).toEqual([
      1, 5, -3, 0.5, 2.5,
    ])
    expect(samples('name: string; n: string(3); title: string(20, 12); none: string(0);')).toEqual([
      'Some name',
      'Som',
      'Some title..',
      '',
    ])
    expect(samples('picture: data; small: data(2); none: data(0);')).toEqual(['SGVsbG8=', 'SGU=', ''])
  })

  it('of a date is one day after that of the previous date', () => {
    expect(samples('arrival: date; nights: int; departure: date;')).toEqual(['2030-01-31', 1, '2030-02-01'])
  })

  it('matches the name of its attribute', () => {
    expect(samples('email: string; ok: bool; day: date; at: time; when: datetime;')).toEqual([
      'user@example.com',
      true,
      '2030-01-31',
      '12:30:00',
      '2030-02-01T12:30:00Z',
    ])
  })
})
