import type { Attribute, AttributeType, Job } from '../../model/platform.ts'
import { includes, isSameKind } from '../api-changes/type-comparison.ts'
import { renameHelp } from './tables.ts'

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
  /** ``Invoice.Remind (they may have no `text`)`` */
  readonly text: string
  /** What lets a new job that may be the same one run them. */
  readonly rename?: string
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
  const isNew = ({ names, was }: Job) =>
    was === undefined && before.every(({ name }) => name !== names.declared)
  const added = [...(recordedJobs(jobs.filter(isNew)) ?? [])]
  return before.flatMap((old): LostJobs[] => {
    const job = jobs.find(({ names, was }) => names.declared === old.name || was?.declared === old.name)
    const name = `${service}.${old.name}`
    if (job !== undefined) {
      const payload = after.find((each) => each.name === job.names.declared)?.payload ?? []
      const problem = payloadProblem(old.payload, payload)
      return problem === undefined ? [] : [{ name, text: `${name} (${problem})` }]
    }
    const index = added.findIndex(({ payload }) => payloadProblem(old.payload, payload) === undefined)
    // Each new job is one of them at most.
    const [renamed] = index === -1 ? [] : added.splice(index, 1)
    return [
      {
        name,
        text: `${name} (nothing would run them)`,
        ...(renamed && { rename: renameHelp(old.name, `${service}.${renamed.name}`) }),
      },
    ]
  })
}

/** Why a job with a stored payload could fail once another one is declared; `undefined` if it could not. */
function payloadProblem(
  before: readonly RecordedAttribute[],
  after: readonly RecordedAttribute[],
): string | undefined {
  for (const { name, type, optional, hasDefault } of after) {
    const was = before.find((each) => each.name === name)
    if ((was === undefined || was.optional) && !optional && !hasDefault) return `they may have no \`${name}\``
    if (was !== undefined && !acceptsAll(typeOf(type), typeOf(was.type)))
      return `they may have another \`${name}\``
  }
  return undefined
}

function acceptsAll(wider: AttributeType, narrower: AttributeType): boolean {
  if (wider.kind === 'reference' || narrower.kind === 'reference') return wider.kind === narrower.kind
  return isSameKind(narrower, wider, new Map()) && includes(wider, narrower)
}
