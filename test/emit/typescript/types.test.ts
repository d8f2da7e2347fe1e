import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { typeErrors } from '../../compiler.ts'
import { platformOf } from '../platform.ts'
import { writeFiles } from '../service-process.ts'

const HOMES = `
Typed: project { #authMethod(email); }
Person: service { name: string; #auth; }
Tag: service {
  text: string(20);
  Note: struct { line: string; #enumerable; }
  #enumerable(filter: [text]);
}
Home: service {
  owner: Person;
  address: string;
  image: data;
  coupon: string @client;
  secret: string @server;
  views: int @serverSet;
  Photo: struct { caption: string; #omit[update]; }
  #omit[delete];
  #uses[Tag];
}
`

/** What the compiler says of the service with this setup.ts. */
async function check(definition: string, directory: string, setup: string): Promise<string> {
  const place = await writeFiles(emitProject(platformOf(definition)))
  await writeFile(path.join(place, directory, 'src/setup.ts'), setup)
  const tsconfig = { extends: './tsconfig.json', include: [`${directory}/src`] }
  await writeFile(path.join(place, 'tsconfig.service.json'), JSON.stringify(tsconfig))
  return typeErrors(path.join(place, 'tsconfig.service.json'))
}

/** Each line of `wrong` must be an error, all that `right` says none. */
function setupOf(right: string, wrong: readonly string[]): string {
  const marked = wrong.map((line) => `  // @ts-expect-error\n  ${line}\n`).join('')
  return `import { type Env, HookError, type Router } from './hooks.ts'

export default function setup(env: Env, router: Router): void {
${right}
${marked}
  router.get('/home/x', (c) => c.var.fail(418, 'x'))
  void HookError
}
`
}

describe('the types of hooks', () => {
  test('hold what there is, and nothing else', async () => {
    const right = `
  env.hooks.beforeCreate(async (_env, request, input, caller) => {
    const coupon: string = request.coupon
    const bytes: Uint8Array = request.image
    input.secret = coupon + caller.id + caller.token + bytes.length
    input.views = 3
    input.owner = request.owner
    if (input.id === '') return new HookError(400, 'x')
    const person = await env.comm.person.read(input.owner, caller)
    const tag = await env.comm.tag.read('x', caller)
    const tags: { id: string; text: string }[] | undefined = await env.comm.tag.list({ text: 'x' }, caller)
    const note: { id: string; line: string } | undefined = await env.comm.tag.note.create('x', { line: 'y' }, caller)
    const notes: string[] | undefined = (await env.comm.tag.note.list('x', {}, caller))?.map(({ line }) => line)
    const ids: (string | undefined)[] = [
      await env.comm.tag.delete('x', caller),
      await env.comm.person.identify(caller),
    ]
    throw new HookError(400, \`\${person?.name} \${tag?.text} \${tags} \${note} \${notes} \${ids}\`)
  })
  env.hooks.beforeUpdate((_env, _request, input) => {
    input.id = 'x'
    input.views ??= 4
    delete input.secret
  })
  env.hooks.afterRead((_env, home) => {
    home.secret = home.address + home.views.toFixed()
  })
  env.hooks.afterCreate((_env, home) => void home.id)
  env.hooks.photo.beforeRead((_env, input) => {
    input.parentId = input.id
  })
  env.hooks.photo.beforeCreate((_env, _request, input) => {
    input.parentId = input.caption
  })
  env.hooks.photo.afterDelete((_env, id) => void id.toUpperCase())
  router.get('/home/:id/image', async (c) => {
    const home = await env.datastore.readHome({ id: c.req.param('id') })
    return home === undefined ? c.notFound() : c.body(home.image, 200, { 'Content-Type': 'image/png' })
  })
  void env.datastore.deleteHome({ id: 'x' }).then((id) => id?.length)
  void env.datastore.readPhoto({ id: 'x', parentId: 'y' }).then((photo) => photo?.parentId)
`
    const wrong = [
      'env.hooks.beforeDelete(() => {})',
      'env.hooks.afterDelete(() => {})',
      'env.hooks.beforeList(() => {})',
      'env.hooks.beforeIdentify(() => {})',
      'env.hooks.photo.beforeUpdate(() => {})',
      'env.hooks.photo.afterList(() => {})',
      'env.hooks.beforeRead((_env, request, input, caller, more) => void more)',
      'env.hooks.beforeCreate((_env, request) => void request.secret)',
      'env.hooks.beforeCreate((_env, request) => void request.views)',
      'env.hooks.beforeCreate((_env, _request, input) => void input.coupon)',
      "env.hooks.beforeCreate((_env, _request, input) => { input.id = 'x' })",
      "env.hooks.beforeCreate((_env, _request, input) => { input.views = '3' })",
      'env.hooks.beforeCreate((_env, _request, input) => { input.views = undefined })',
      'env.hooks.beforeUpdate((_env, _request, input) => { input.address = undefined })',
      'env.hooks.afterRead((_env, home) => void home.coupon)',
      'env.hooks.afterCreate(() => 5)',
      "env.hooks.beforeCreate(() => { throw new HookError('400', 'x') })",
      'void env.comm.home',
      "void env.comm.tag.list({ color: 'x' }, { token: 'x' })",
      "void env.comm.tag.create({}, { token: 'x' })",
      "void env.comm.tag.read('x', { token: 'x' }).then((tag) => tag.text)",
      "void env.comm.tag.note.read('x', { token: 'x' })",
      "void env.comm.tag.identify({ token: 'x' })",
      'void env.config.secret',
      "void env.datastore.createHome({ address: 'x' }, { id: 'x' })",
      "void env.datastore.readPhoto({ id: 'x' })",
      'void env.datastore.db.$client',
      'void env.transaction(async (tx) => void tx.datastore.db.$client)',
      "router.get('/home/y', (c) => c.var.fail('x', 418))",
    ]
    expect(await check(HOMES, 'home', setupOf(right, wrong))).toBe('')
  }, 180_000)

  test('have no caller without authentication, and no calls where there are none', async () => {
    const right = `
  env.hooks.beforeCreate((_env, _request, _input, caller) => {
    const nobody: undefined = caller
    void nobody
  })
  env.hooks.beforeList((_env, input) => {
    input.limit = 3
    input.after = undefined
  })
  env.hooks.afterList((_env, things) => {
    things.pop()
  })
  void env.datastore.createThing({ text: 'x' }).then((thing) => thing.text)
`
    const wrong = [
      'env.hooks.beforeCreate((_env, _request, _input, caller) => void caller.id)',
      'void env.comm',
      'env.hooks.beforeIdentify(() => {})',
    ]
    const definition = `Typed: project {}\nThing: service { text: string; #enumerable; }`
    expect(await check(definition, 'thing', setupOf(right, wrong))).toBe('')
  }, 180_000)
})
