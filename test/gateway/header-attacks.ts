import { describe, expect, test } from 'vitest'
import type { TestGateway } from './gateway.ts'
import { get } from './raw.ts'
import { tokenOf } from './tokens.ts'

const VALUE = 'sent-by-an-attacker'

/** Fields in which proxies pass a client's identity, address and original request. */
const FIELDS = [
  'x-user-id',
  'x-user',
  'x-user-email',
  'x-username',
  'x-jwt-payload',
  'x-jwt-claim-id',
  'x-consumer-id',
  'x-consumer-username',
  'x-consumer-custom-id',
  'x-credential-identifier',
  'x-authenticated-userid',
  'x-authenticated-groups',
  'x-auth-request-user',
  'x-anonymous-consumer',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-user',
  'x-forwarded-client-cert',
  'x-forwarded-authorization',
  'x-real-ip',
  'x-client-ip',
  'x-clientip',
  'x-cluster-client-ip',
  'x-proxyuser-ip',
  'x-azure-clientip',
  'x-azure-socketip',
  'x-nf-client-connection-ip',
  'x-vercel-forwarded-for',
  'x-vercel-proxied-for',
  'client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'fastly-client-ip',
  'fly-client-ip',
  'do-connecting-ip',
  'cloudfront-viewer-address',
  'proxy-client-ip',
  'wl-proxy-client-ip',
  'x-original-url',
  'x-original-method',
  'x-rewrite-url',
  'x-http-method-override',
  'x-method-override',
  'x-envoy-original-path',
  'x-envoy-internal',
  'x-envoy-external-address',
  'x-envoy-retry-on',
  'x-envoy-upstream-rq-timeout-ms',
  'forwarded',
  'via',
  'proxy-authorization',
  'remote-user',
  'remote-groups',
  'remote-email',
  'x-remote-user',
  'x-remote-groups',
  'x-remote-extra-scopes',
  'x-webauth-user',
  'x-id-token',
  'x-access-token',
  'x-identity',
  'x-email',
  'x-groups',
  'x-roles',
  'x-client-cert',
  'x-client-dn',
  'x-client-verify',
  'x-ssl-client-s-dn',
  'ssl-client-verify',
  'client-cert',
  'x-vouch-user',
  'x-pomerium-claim-email',
  'x-goog-iap-jwt-assertion',
  'x-goog-authenticated-user-email',
  'x-appengine-user-id',
  'x-amzn-oidc-identity',
  'x-ms-client-principal-name',
  'x-ms-token-aad-id-token',
  'cf-access-authenticated-user-email',
  'tailscale-user-login',
] as const

const SPELLINGS: Readonly<Record<string, (name: string) => string>> = {
  'as it is': (name) => name,
  'in capitals': (name) => name.toUpperCase(),
  'in mixed case': (name) =>
    name.replace(/[a-z]/g, (letter, at: number) => (at % 2 ? letter : letter.toUpperCase())),
  'with underscores': (name) => name.replaceAll('-', '_'),
  'with underscores in capitals': (name) => name.replaceAll('-', '_').toUpperCase(),
  'with one underscore': (name) => name.replace('-', '_'),
}

/** Fields of clients that only a gateway may set. */
export function headerAttacks(gateway: () => TestGateway): void {
  describe.each(Object.entries(SPELLINGS))('a header of gateways %s', (_, spell) => {
    test.each(FIELDS)('%s does not reach a service', async (name) => {
      const { port, credentials, upstream } = gateway()
      const fields = [`Authorization: Bearer ${tokenOf(credentials[0])}`, `${spell(name)}: ${VALUE}`]
      const answer = await get(port, '/api/home/x', fields)
      const received = upstream.take()
      expect([answer.status, received.length]).toEqual([200, 1])
      expect(JSON.stringify(received)).not.toContain(VALUE)
    })
  })

  test('a repeated gateway header does not reach a service', async () => {
    const { port, credentials, upstream } = gateway()
    const fields = Array.from({ length: 20 }, (_, at) => `${at % 2 ? 'X-User-Id' : 'x-USER-id'}: ${VALUE}`)
    await get(port, '/api/home/x', [`Authorization: Bearer ${tokenOf(credentials[0])}`, ...fields])
    expect(JSON.stringify(upstream.take())).not.toContain(VALUE)
  })

  test('a header named by Connection does not reach a service', async () => {
    const { port, credentials, upstream } = gateway()
    const fields = [
      `Authorization: Bearer ${tokenOf(credentials[0])}`,
      'Connection: x-request-id, x-forwarded-for, content-length, host, keep-alive',
    ]
    expect([200, 400]).toContain((await get(port, '/api/home/x', fields)).status)
    for (const { fields: arrived } of upstream.take()) {
      const names = arrived.map(([name]) => name.toLowerCase())
      expect(names).toContain('x-request-id')
      expect(names).toContain('host')
    }
  })

  test('every request has one valid id', async () => {
    const { port, upstream } = gateway()
    for (const id of [
      [],
      ['X-Request-Id: <script>'],
      ['X-Request-Id: a', 'x-request-id: b'],
      ['X_Request_Id: c'],
    ]) {
      await get(port, '/api/auth/x', id)
      const [received] = upstream.take()
      const ids = received?.fields.filter(([name]) => /^x[-_]request[-_]id$/i.test(name)) ?? []
      expect(ids).toHaveLength(1)
      expect(ids[0]?.[1]).toMatch(/^[\w.-]{1,128}$/)
      expect(ids[0]?.[1]).not.toBe('c')
    }
  })

  test('other headers reach the service unchanged', async () => {
    const { port, credentials, upstream } = gateway()
    const authorization = `Bearer ${tokenOf(credentials[0])}`
    await get(port, '/api/home/x', [`Authorization: ${authorization}`, 'Accept: a/b', 'X-Kept: yes'])
    const fields = upstream.take()[0]?.fields.map(([name, value]) => [name.toLowerCase(), value])
    expect(fields).toContainEqual(['authorization', authorization])
    expect(fields).toContainEqual(['accept', 'a/b'])
    expect(fields).toContainEqual(['x-kept', 'yes'])
  })
}
