import { describe, expect, it } from 'vitest'
import { compile, emit } from '../../../src/compile.ts'

function readmeOf(text: string): string {
  const { platform } = compile(text)
  const readme = platform && emit(platform).find(({ path }) => path === 'README.md')
  if (readme === undefined) throw new Error('No README.')
  return readme.content
}

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

  it('lists every endpoint with who may use it and its success', () => {
    expect(text.split('\n').filter((line) => /^\| `(GET|PUT|POST|DELETE) /.test(line))).toEqual([
      '| `POST /api/auth/register` | `email`, `password` (8 characters to 72 bytes) | 201 `AccessToken`; 400, 409 |',
      '| `POST /api/auth/login` | `email`, `password` | 200 `AccessToken`; 400, 401 |',
      '| `POST /api/user` | every user, once | 201 the entity |',
      '| `GET /api/user/{id}` | its creator | 200 the entity |',
      '| `PUT /api/user/{id}` | its creator | 200 the entity |',
      '| `DELETE /api/user/{id}` | its creator | 200 `{}` |',
      "| `GET /api/user` | every user | 302 `Location` of the token's entity |",
      '| `POST /api/home` | every user | 201 the entity |',
      '| `GET /api/home/{id}` | every user | 200 the entity |',
      '| `PUT /api/home/{id}` | its creator | 200 the entity |',
      '| `DELETE /api/home/{id}` | its creator | 200 `{}` |',
      '| `GET /api/home/all` | every user | 200 `{"HomeList": [...]}`, pages with `?limit=` and `after=` |',
      "| `POST /api/home/{parent-id}/photo` | its parent's creator | 201 the entity |",
      '| `GET /api/home/{parent-id}/photo/{id}` | every user | 200 the entity |',
      "| `PUT /api/home/{parent-id}/photo/{id}` | its parent's creator | 200 the entity |",
      "| `DELETE /api/home/{parent-id}/photo/{id}` | its parent's creator | 200 `{}` |",
      '| `GET /api/home/{parent-id}/photo/{id}/all`, `GET /api/home/{parent-id}/photo/all` | every user | 200 `{"PhotoList": [...]}`, pages with `?limit=` and `after=` |',
    ])
  })

  it("describes attributes and keeps the user's text within its cell", () => {
    expect(text).toContain('| `beds` A \\| in a comment. | integer, 1 to 9, unique | required | yes |')
    expect(text).toContain('| `secret` | string, at most 8 characters | required | no |')
  })

  it('names the risk of the shared secret, with authentication only', () => {
    expect(text).toContain('can sign tokens for any user')
    expect(readmeOf('P: project {} S: service { n: int; }')).not.toContain('token')
  })
})
