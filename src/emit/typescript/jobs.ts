import type { Job, Service } from '../../model/platform.ts'
import { type CodeFile, codeFile } from '../codegen/code-file.ts'
import { docComment, withDocumentation } from '../codegen/doc-comments.ts'
import { braces, call, type Code, code, join, moving, object } from '../codegen/layout.ts'
import { members } from './custom-endpoints.ts'

const LIB = '#lib/jobs.ts'
/** Where other modules import the jobs of a service from. */
export const JOBS_MODULE = 'jobs.ts'

/** `jobs.ts`: the payloads of jobs, and what adds and runs them. */
export function jobsFile({ jobs }: Service): string {
  const file = codeFile(JOBS_MODULE)
  const added = jobs.filter(({ schedule }) => schedule === undefined)
  const kinds = jobs.map((each) =>
    moving(
      `${each.names.camel}:`,
      each.schedule === undefined ? addedJob(file, each) : scheduledJob(file, each, each.schedule),
    ),
  )
  const parameter = added.length === 0 ? '_database' : 'database'
  return file.text(
    join(
      [
        ...added.map((each) => payload(file, each)),
        code`/** Creates the jobs, whose handlers setup.ts registers. */
export const createJobs = (${parameter}: ${file.type(LIB, 'JobDatabase')}) => (${object(kinds)})`,
      ],
      '\n\n',
    ),
  )
}

/** The schema and the type of a payload. */
function payload(file: CodeFile, { names: { declared }, documentation, attributes }: Job): Code {
  const z = file.value('zod', 'z')
  return code`${docComment(withDocumentation(`The payload of ${declared}.`, documentation))}export const ${declared}Payload = ${call(`${z}.object`, object(members(file, attributes, false)))}
export type ${declared}Payload = ${z}.infer<typeof ${declared}Payload>`
}

const nameOf = ({ names, was }: Job) => [
  `name: '${names.snake}'`,
  ...(was === undefined ? [] : [`was: '${was.snake}'`]),
]

function addedJob(file: CodeFile, job: Job): Code {
  const { declared } = job.names
  const types = `<${file.type('hooks.ts', 'Env')}, typeof ${declared}Payload>`
  return call(
    `${file.value(LIB, 'job')}${types}`,
    'database',
    braces([...nameOf(job), `payload: ${declared}Payload`]),
  )
}

function scheduledJob(file: CodeFile, job: Job, schedule: string): Code {
  const times = `schedule: ${file.value('#lib/schedules.ts', 'cronSchedule')}('${schedule}')`
  return call(
    `${file.value(LIB, 'scheduledJob')}<${file.type('hooks.ts', 'Env')}>`,
    braces([...nameOf(job), times]),
  )
}
