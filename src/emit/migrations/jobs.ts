import type { Attribute, AttributeType, Job } from '../../model/platform.ts'
import { includes, isSameKind } from '../api-changes/type-comparison.ts'

/** A kind of job as `schema.json` has it. */
export interface RecordedJob {
  /** As declared. */
  readonly name: string
  readonly payload: readonly RecordedAttribute[]
}

/** An attribute of a payload. */
interface RecordedAttribute {
  readonly name: string
  /** The type in JSON. */
  readonly type: string
  readonly optional?: true
  /** Whether a payload can lack it. */
  readonly hasDefault?: true
}

/** Jobs that may wait and that the new code could not run. */
export interface LostJobs {
  /** What the user agrees to: `Invoice.Remind`. */
  readonly name: string
  /** `Invoice.Remind (jobs that wait have no text)` */
  readonly text: string
}

/** The kinds of jobs that wait with a payload; `undefined` without any. Scheduled ones have none. */
export function recordedJobs(jobs: readonly Job[]): readonly RecordedJob[] | undefined {
  const added = jobs.filter(({ schedule }) => schedule === undefined)
  if (added.length === 0) return undefined
  return added.map(({ names, attributes }) => ({
    name: names.declared,
    payload: attributes.map(recordedAttribute),
  }))
}

function recordedAttribute({ names, type, optional, default: given }: Attribute): RecordedAttribute {
  return {
    name: names.declared,
    type: typeText(type),
    ...(optional ? { optional: true } : {}),
    ...(given === undefined ? {} : { hasDefault: true }),
  }
}

/** A type in JSON. What an id refers to is left out, because nothing checks it. */
function typeText(type: AttributeType): string {
  const plain = type.kind === 'reference' || type.kind === 'sibling' ? { kind: 'reference' } : type
  return JSON.stringify(plain, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

function typeOf(text: string): AttributeType {
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as AttributeType
}

/** The jobs of a service that may wait and that the new code could not run. */
export function lostJobs(service: string, before: readonly RecordedJob[], jobs: readonly Job[]): LostJobs[] {
  const after = recordedJobs(jobs) ?? []
  return before.flatMap((old) => {
    const job = jobs.find(({ names, was }) => names.declared === old.name || was?.declared === old.name)
    const name = `${service}.${old.name}`
    const lost = (reason: string): LostJobs[] => [{ name, text: `${name} (${reason})` }]
    if (job === undefined) return lost('nothing would run those that wait')
    const payload = after.find((each) => each.name === job.names.declared)?.payload ?? []
    for (const attribute of payload) {
      const was = old.payload.find((each) => each.name === attribute.name)
      const isAbsent = was === undefined || was.optional
      if (isAbsent && !attribute.optional && !attribute.hasDefault)
        return lost(`those that wait may have no \`${attribute.name}\``)
      if (was !== undefined && !acceptsAll(typeOf(attribute.type), typeOf(was.type)))
        return lost(`those that wait may have another \`${attribute.name}\``)
    }
    return []
  })
}

function acceptsAll(wider: AttributeType, narrower: AttributeType): boolean {
  if (wider.kind === 'reference' || narrower.kind === 'reference') return wider.kind === narrower.kind
  return isSameKind(narrower, wider, new Map()) && includes(wider, narrower)
}
