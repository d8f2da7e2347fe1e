import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import type { GeneratedFile } from '../../../src/emit/contract.ts'
import { platformOf } from '../platform.ts'

function projectOf(text: string): readonly GeneratedFile[] {
  return emitProject(platformOf(text))
}

function readmeOf(text: string): string {
  const readme = projectOf(text).find(({ path }) => path === 'README.md')
  if (readme === undefined) throw new Error('No README.')
  return readme.content
}

const STAYS = readFileSync(join(import.meta.dirname, '../../../examples/stays/stays.portico'), 'utf8')

describe('the README of a project', () => {
  const text = readmeOf(`/// Rents | lets.
Stays: project { #authMethod(email); }
User: service { #auth; }
/// A home.
Home: service {
  /// A | in a
  /// comment.
  beds: int(9, 1) @unique;
  secret: string(8) @client;
  Photo: struct { image: data(5k); home: Home; #enumerable; }
  #readable(by: all);
  #enumerable;
}`)

  it('lists every endpoint with who may use it and its response', () => {
    expect(text.split('\n').filter((line) => /^\| `(GET|PUT|POST|DELETE) /.test(line))).toEqual([
      '| `POST /api/auth/register` | `email`, `password` (at least 8 characters, at most 72 bytes) | 201 `AccessToken` | 400, 409, 413, 415, 429, 503 |',
      '| `POST /api/auth/login` | `email`, `password` | 200 `AccessToken` | 400, 401, 413, 415, 429, 503 |',
      '| `POST /api/user` | any user, once | 201 the entity | 400, 401, 409, 413, 415, 503 |',
      '| `GET /api/user/{id}` | its creator | 200 the entity | 400, 401, 404, 503 |',
      '| `PUT /api/user/{id}` | its creator | 200 the entity | 400, 401, 404, 413, 415, 503 |',
      '| `DELETE /api/user/{id}` | its creator | 200 `{}` | 400, 401, 404, 503 |',
      "| `GET /api/user` | any user | 302 redirect to the caller's entity | 401, 404, 503 |",
      '| `POST /api/home` | any user | 201 the entity | 400, 401, 409, 413, 415, 503 |',
      '| `GET /api/home/{id}` | any user | 200 the entity | 400, 401, 404, 503 |',
      '| `PUT /api/home/{id}` | its creator | 200 the entity | 400, 401, 403, 404, 409, 413, 415, 503 |',
      '| `DELETE /api/home/{id}` | its creator | 200 `{}` | 400, 401, 403, 404, 503 |',
      '| `GET /api/home/all` | any user | 200 `{"HomeList": [...]}`, paged with `?limit=` and `&after=`, only some with `?id[in]=` | 400, 401, 503 |',
      "| `POST /api/home/{parent-id}/photo` | its parent's creator | 201 the entity | 400, 401, 403, 404, 413, 415, 503 |",
      '| `GET /api/home/{parent-id}/photo/{id}` | any user | 200 the entity | 400, 401, 404, 503 |',
      "| `PUT /api/home/{parent-id}/photo/{id}` | its parent's creator | 200 the entity | 400, 401, 403, 404, 413, 415, 503 |",
      "| `DELETE /api/home/{parent-id}/photo/{id}` | its parent's creator | 200 `{}` | 400, 401, 403, 404, 503 |",
      '| `GET /api/home/{parent-id}/photo/{id}/all`, `GET /api/home/{parent-id}/photo/all` | any user | 200 `{"PhotoList": [...]}`, paged with `?limit=` and `&after=`, only some with `?id[in]=` | 400, 401, 404, 503 |',
    ])
  })

  it('lists attributes as sent only if an endpoint takes them', () => {
    const readme = readmeOf('P: project {} Log: service { line: string; level: int; #omit[create, update]; }')
    expect(readme).toContain('| `line` | string | no | yes |')
    expect(readmeOf('P: project {} Log: service { line: string; #omit[create]; }')).toContain(
      '| `line` | string | required | yes |',
    )
  })

  it('names only what its deployment has', () => {
    const readme = readmeOf(
      'P: project { #provider(kube); #metrics(prometheus); #authMethod(email); } User: service { #auth; }',
    )
    expect(readme).toContain('`kube/components/prometheus-operator`')
    expect(readme).not.toMatch(/GRAFANA_PORT|\.secrets/)
    expect(text).toContain('GATEWAY_CREDENTIALS_FILE=.portico/dev/gateway-credentials.json')
  })

  it('documents exactly the variables that a service reads', () => {
    const definition = STAYS.replace('#authMethod', '#metrics(prometheus);\n  #authMethod').replace(
      'Stay: service {',
      '$& Remind: job {}',
    )
    const files = projectOf(definition)
    const declaring = files.filter(({ path }) => path.endsWith('/config.ts') || path === 'lib/traces.ts')
    const variables = (content: string): string[] =>
      content.match(/\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:HOST|PORT|JOBS)\b/g) ?? []
    const read = declaring.flatMap(({ content }) =>
      Array.from(content.matchAll(/^ +([A-Z_]+): /gm), ([, name = '']) => name),
    )
    const [, section = ''] = readmeOf(definition).split('## Configuration')
    const named = variables(section.split('\n## ', 1)[0] ?? '')
    expect([...new Set(named)].sort()).toEqual([...new Set(read)].sort())
  })

  it.each(['dockerCompose', 'kube'])('says how to look after jobs, if there are any: %s', (provider) => {
    const withJob = (job: string) =>
      readmeOf(`P: project { #provider(${provider}); } Home: service {} Stay: service { n: int; ${job} }`)
    const readme = withJob('SendBill: job {}')
    expect(readme).toMatch(/^\| `jobs` \| Shows how many jobs wait, .*\n\| `jobs retry stay send_bill` \| /m)
    expect(readme).toContain('| `JOBS` | 5 | How many jobs run at a time in each replica')
    expect(withJob('')).not.toMatch(/\bjobs?\b/i)
  })

  it('says how to run the scripts of the project, and which Postgres its tests use', () => {
    const files = new Map(projectOf(STAYS).map(({ path, content }) => [path, content]))
    const readme = files.get('README.md') ?? ''
    expect(files.get('lib/testing-postgres.ts')).toContain("process.env['TEST_DATABASE_URL']")
    expect(readme).toContain('`TEST_DATABASE_URL` names another server')
    expect(readme).toMatch(/^npm test$/m)
    expect(readme).toMatch(/^npm run check$/m)
  })

  it('says what custom code and roles require', () => {
    expect(text).toContain('`env.access.requireReadable(id, caller)`')
    const roles = readmeOf('P: project { #authMethod(email); #roles[clerk]; } User: service { #auth; }')
    expect(roles).toContain('The commands below that require a role fail without it.')
    expect(readmeOf('P: project {} S: service { n: int; }')).not.toMatch(/env\.access|require a role/)
  })

  it('links to the list of the files that are never overwritten', () => {
    const [, section = ''] = text.split('## Regenerate')
    expect(section).toContain('[Custom code](#custom-code)')
  })

  it('shows the diagram in the project', () => {
    expect(text).toContain('](api/stays.svg)')
    const picture = projectOf(STAYS).find(({ path }) => path === 'api/stays.svg')
    expect(picture?.content).toContain('<svg')
  })

  it("describes attributes and keeps the user's text within its cell", () => {
    expect(text).toContain('| `beds`: A \\| in a comment. | integer, 1 to 9, unique | required | yes |')
    expect(text).toContain('| `secret` | string, at most 8 characters | required | no |')
  })

  it('uses the singular and the plural', () => {
    const one = readmeOf(
      'P: project {} S: service { a: string(minLength: 1); b: string(1); c: data(1); d: int(1); e: string(3, 3); }',
    )
    expect(one).toContain('| `a` | string, at least 1 character | required | yes |')
    expect(one).toContain('| `b` | string, at most 1 character | required | yes |')
    expect(one).toContain('| `c` | base64, at most 1 byte | required | yes |')
    expect(one).toContain('| `d` | integer, -2147483648 to 1 | required | yes |')
    expect(one).toContain('| `e` | string, exactly 3 characters | required | yes |')
  })

  it('says what a test leaves behind', () => {
    const readme = (omitted: string) => readmeOf(`P: project {} S: service { n: int; #omit[${omitted}]; }`)
    expect(readme('delete')).toContain('creates, except entities without a delete endpoint:')
    expect(readme('create, delete')).toContain('deletes what it creates:')
  })

  it('names the paths that require no token', () => {
    const user = 'P: project { #authMethod(email); } User: service { #auth; }'
    expect(readmeOf(`${user} Home: service { #public[hook, map]; }`)).toContain(
      '`Authorization: Bearer <AccessToken>`, except those to your own routes at `/api/home/hook`, `/api/home/map` and below. A token',
    )
    expect(readmeOf(user)).toContain('`Authorization: Bearer <AccessToken>`. A token')
  })

  it('has the declared endpoints with their commands', () => {
    const readme = readmeOf(`P: project { #authMethod(email); }
User: service { #auth; }
Home: service {
  #omit[create, read, update, delete];
  /// What a stay costs.
  Quote: endpoint { #get("{id}/quote/{day}"); day: date @client; nights: int(30, 1); who: User @client; total: int @serverSet; }
  Near: endpoint { #get("near"); #returns(list: Home); }
  Hook: endpoint { #post("hook"); kind: string @client; note: string? @client; #public; #status(202); }
}`)
    for (const line of [
      '| `GET /api/home/{id}/quote/{day}`: What a stay costs. | `day` (date, `YYYY-MM-DD`, required), `nights` (integer, 1 to 30, required), `who` (id of a User, required) | its creator | 200 `nights`, `total` | 400, 401, 404, 503 |',
      '| `GET /api/home/near` |  | any user | 200 `{"HomeList": [...]}`, paged with `?limit=` and `&after=` | 400, 401, 503 |',
      '| `POST /api/home/hook` | `kind` (string, required), `note` (string, optional) | anyone | 202 `{}` | 400, 413, 415, 503 |',
      'curl "$GATEWAY_ENTRY/api/home/$HOME_ID/quote/2030-01-31?nights=1&who=$USER_ID" -H "Authorization: Bearer $TOKEN"',
      `curl -X POST $GATEWAY_ENTRY/api/home/hook -d '{"kind": "Some kind"}'`,
    ])
      expect(readme.split('\n')).toContain(line)
    expect(readme).toContain('Bearer <AccessToken>`, except `POST /api/home/hook`. A token')
    expect(readme).not.toContain('No endpoints.')
  })

  it('describes the risk of the shared secret, only with authentication', () => {
    expect(text).toContain('can sign tokens for any user')
    expect(readmeOf('P: project {} S: service { n: int; }')).not.toContain('token')
  })
})
