import { readEnums, readLine, sentFields, writtenFields } from './declared-attributes.ts'
import { goFile, type GoFile } from './go-file.ts'
import { comment, type Field, func, literal, quoted, struct } from './layout.ts'
import { type JobScope, jobScopesOf, type ServiceScope } from './scope.ts'

/** `jobs.go`: the jobs of a service and their payloads. */
export function jobsFile({ module, service }: ServiceScope): string {
  const file = goFile(module, 'main')
  const platform = file.internal('platform')
  const jobs = jobScopesOf(service)
  const fields = jobs.map(
    ({ job, names }): Field => ({
      ...(job.documentation === '' ? {} : { documentation: job.documentation }),
      name: names.field,
      type:
        job.schedule === undefined
          ? `*${platform}.Job[*Env, ${names.request}, ${names.payload}]`
          : `*${platform}.ScheduledJob[*Env]`,
    }),
  )
  const declared = jobs.map((own) => [own.names.field, declaration(platform, own)] as const)
  return file.text([
    `// Jobs has the jobs, whose handlers setup.go registers.\n${struct('Jobs', fields)}`,
    func({ name: 'newJobs', parameters: ['env *Env'], result: '*Jobs' }, [
      `return ${literal('&Jobs', declared)}`,
    ]),
    ...jobs.filter(({ job }) => job.schedule === undefined).flatMap((own) => payloadParts(file, own)),
  ])
}

function declaration(platform: string, { job, names }: JobScope): string {
  const kind = literal(`${platform}.JobKind`, [
    ['Field', quoted(names.field)],
    ['Name', quoted(job.names.snake)],
    ...(job.was === undefined ? [] : [['Former', quoted(job.was.snake)] as const]),
    ...(job.schedule === undefined ? [] : [['Schedule', quoted(job.schedule)] as const]),
  ])
  if (job.schedule !== undefined) return `${platform}.NewScheduledJob(env.queue, env, ${kind})`
  return `${platform}.NewJob[${names.request}](env.queue, env, ${kind}, (*${names.payload}).read)`
}

const documentedStruct = (name: string, text: string, fields: readonly Field[]) =>
  [...comment(text), struct(name, fields)].join('\n')

function payloadParts(file: GoFile, { job: { attributes, names: own }, names }: JobScope): string[] {
  const values = `*${file.internal('platform')}.Values`
  const lines = attributes.map((attribute) => readLine(file, 'payload', attribute, names, true))
  return [
    ...readEnums(file, attributes, names),
    documentedStruct(
      names.payload,
      `${names.payload} is the payload of ${own.declared}.`,
      writtenFields(file, attributes, names),
    ),
    ...(names.request === names.payload
      ? []
      : [
          documentedStruct(
            names.request,
            `${names.request} is what adds ${own.declared}. What is nil has its default.`,
            sentFields(file, attributes, names),
          ),
        ]),
    attributes.length === 0
      ? `func (*${names.payload}) read(${values}) {}`
      : func(
          { receiver: `payload *${names.payload}`, name: 'read', parameters: [`values ${values}`] },
          lines,
        ),
  ]
}
