import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { OpenApiDocument } from '../../../src/emit/openapi/document.ts'
import { call, createWorkplace, type Workplace } from '../../dev/run-platform.ts'
import { copyOwnFiles, EXAMPLES, type NamedDefinition } from './definitions.ts'
import { runTool, toolPath } from './tools.ts'

/** Statuses that hooks of an example return besides those of the endpoint. */
const HOOK_STATUSES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // `403 Only hosts can list homes`, `409 The home is booked on these days`.
  stays: { createHome: 403, createStay: 409, updateStay: 409, createReview: 403, updateReview: 403 },
  // Everyone can write in a room if they are a person, but not change what others wrote.
  chat: {
    createRoom: 403,
    createMessage: 403,
    createReaction: 403,
    updateRoom: 403,
    deleteRoom: 403,
    updateMessage: 403,
    deleteMessage: 403,
  },
  // `403 Only agents assign tickets`, and members say who they are.
  desk: { createMember: 403, updateMember: 403, createTicket: 403, updateTicket: 403, createComment: 403 },
  // Customers are archived, technicians elsewhere, orders done; nobody has the secret of the payment provider.
  field: {
    createWorkOrder: 409,
    createLine: 409,
    updateLine: 409,
    deleteLine: 409,
    createSlot: 409,
    updateSlot: 409,
    billWorkOrder: 409,
    paymentInvoice: 403,
  },
}

/**
 * Operations whose hooks reject, with 400, values that the OpenAPI document allows, or that it excludes only in words:
 * a new ticket is open. Only these skip the check `positive_data_acceptance`.
 */
const HOOKS_REFUSE: Readonly<Record<string, readonly string[]>> = {
  stays: ['register', 'createHome', 'updateHome', 'createStay', 'updateStay'],
  booking: ['createReservation', 'updateReservation'],
  desk: ['createTicket'],
  field: ['createWorkOrder', 'createSlot', 'updateSlot', 'createInvoice'],
}

/** Generated requests per phase and operation: enough to find errors of a template, and fast. */
const EXAMPLES_PER_OPERATION = '3'

test.each(EXAMPLES.map((example) => [example.name, example] as const))(
  'Schemathesis finds nothing in %s',
  async (name, example) => {
    const workplace = await createWorkplace(example.text)
    try {
      const { status, output } = await examine(name, example, workplace)
      expect(status === 0 ? '' : output).toBe('')
      expect(output).toMatch(/Stateful \(in/)
    } finally {
      await workplace.close()
    }
  },
)

async function examine(name: string, example: NamedDefinition, workplace: Workplace) {
  copyOwnFiles(example, workplace.output)
  const platform = await workplace.start()
  const document = await describe(platform.gateway)
  const token = await register(platform.gateway, document)
  const description = path.join(workplace.directory, 'openapi.json')
  const config = path.join(workplace.directory, 'schemathesis.toml')
  writeFileSync(description, JSON.stringify(strict(document, withPatches(HOOK_STATUSES[name] ?? {}))))
  const refusing = Object.fromEntries((HOOKS_REFUSE[name] ?? []).map((operation) => [operation, true]))
  writeFileSync(config, configuration(document, Object.keys(withPatches(refusing))))
  return runTool(
    toolPath('schemathesis'),
    [
      `--config-file=${config}`,
      'run',
      description,
      `--url=http://${platform.gateway}`,
      ...(token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`]),
      '--mode=all',
      '--phases=examples,coverage,fuzzing,stateful',
      `--max-examples=${EXAMPLES_PER_OPERATION}`,
      '--seed=1',
      '--generation-database=none',
      '--continue-on-failure',
      '--no-color',
    ],
    {
      cwd: workplace.directory,
      env: {
        PORTICO_GATEWAY: platform.gateway,
        PORTICO_OPENAPI: description,
        SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
        PYTHONPATH: import.meta.dirname,
        PYTHONDONTWRITEBYTECODE: '1',
        ...(token === undefined ? {} : { PORTICO_TOKEN: token }),
      },
    },
  )
}

/** A patch runs the hooks of an update. */
const withPatches = <Value>(operations: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(operations).flatMap(([name, value]) => [
      [name, value],
      [name.replace(/^update/, 'patch'), value],
    ]),
  )

async function describe(gateway: string): Promise<OpenApiDocument> {
  const answer = await fetch(`http://${gateway}/api/openapi.json`)
  return (await answer.json()) as OpenApiDocument
}

/** Returns a token; `undefined` without authentication. */
async function register(gateway: string, { paths }: OpenApiDocument): Promise<string | undefined> {
  if (!('/api/auth/register' in paths)) return undefined
  const { body } = await call({ gateway }, 'POST', '/api/auth/register', {
    body: { email: 'examiner@example.com', password: 'some long password' },
  })
  return String(body['AccessToken'])
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
}

type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Operations by their paths and methods. */
const operationsOf = ({ paths }: OpenApiDocument): Operations => paths as unknown as Operations

/**
 * Replaces the `default` responses, which cover any status that a hook chooses, with the statuses that the example's
 * hooks do choose, so that Schemathesis reports every undocumented status.
 */
function strict(document: OpenApiDocument, statuses: Readonly<Record<string, number>>): object {
  return {
    ...document,
    paths: mapped(operationsOf(document), (item) =>
      mapped(item, (operation) => {
        const { default: hook, ...described } = operation.responses
        const status = statuses[operation.operationId]
        return {
          ...operation,
          responses: status === undefined ? described : { ...described, [status]: hook },
        }
      }),
    ),
  }
}

function mapped<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}

/**
 * All checks are on unless the configuration says otherwise; options of the command line would overrule it. The phases
 * that send many requests to an operation take every third one. An entity has five, so that those of three entities
 * include each kind.
 */
function configuration(document: OpenApiDocument, refusing: readonly string[]): string {
  const operations = Object.values(operationsOf(document)).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  const others = operations.filter((_, index) => index % 3 !== 0)
  return `[[operations]]
include-operation-id = ${JSON.stringify(others)}
phases.examples.enabled = false
phases.coverage.enabled = false
phases.fuzzing.enabled = false

${refusing
  .map(
    (operation) => `[[operations]]
include-operation-id = "${operation}"
checks.positive_data_acceptance.enabled = false
`,
  )
  .join('\n')}`
}
