import { manageJobs } from '#lib/job-admin.ts'
import { kebabCase, listed } from '../naming.ts'
import type { RunCommand } from './command.ts'
import { unknownError } from './command-error.ts'
import { findDatabases } from './running-project.ts'
import { EXIT } from './exit-status.ts'

/** `portico jobs`: looks after the jobs of the services that `portico dev` runs. */
export const run: RunCommand = async (invocation, context) => {
  const [action = 'list', service, which] = invocation.operands
  const all = await findDatabases(invocation, context)
  const databases = all.filter(({ hasJobs }) => hasJobs)
  const names = databases.map((database) => kebabCase(database.service))
  const chosen = databases.filter((database) =>
    service === undefined ? true : [database.service, kebabCase(database.service)].includes(service),
  )
  if (service !== undefined && chosen.length === 0)
    throw unknownError(
      'service with jobs',
      service,
      names,
      names.length === 0
        ? 'no service has jobs'
        : `${listed(names, 'and')} ${names.length === 1 ? 'has' : 'have'} jobs`,
    )
  if (chosen.length === 0) context.report('No service has jobs')
  for (const { service: name, url } of chosen) {
    const lines = await manageJobs({ connectionString: url.href }, action, which)
    context.print([kebabCase(name), ...lines.map((line) => `  ${line}`)].join('\n'))
  }
  return EXIT.success
}
