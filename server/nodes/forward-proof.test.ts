import { expect, test } from 'vitest'
import type { GatewayRequest } from '../gateways/gateway-request.ts'
import { FORWARD_HEADER, ForwardProof } from './forward-proof.ts'

const secret = Buffer.alloc(32, 7)
const line = { method: 'POST', url: '/sync/up', host: 'diptych.example' }
const origin = { secure: true, peer: '203.0.113.9', principal: null }

function requestWith(header: string | undefined, changed: Partial<typeof line> = {}): GatewayRequest {
  const { method, url, host } = { ...line, ...changed }
  return { method, url, headers: { host, [FORWARD_HEADER]: header } } as unknown as GatewayRequest
}

let now = 1_000_000
const at = (name: string, key = secret) => new ForwardProof(key, name, () => now)
const header = () => at('b').write('a', line, origin)

test('a node believes what another one vouches for', () => {
  expect(at('a').readRequest(requestWith(header()))).toEqual({ ...origin, from: 'b' })
  const principal = { id: 'user:ada', name: 'Ada Łukasz', credential: 'c' }
  const withPrincipal = at('b').write('a', line, { ...origin, principal })
  expect(at('a').readRequest(requestWith(withPrincipal))).toEqual({ ...origin, principal, from: 'b' })
})

test.each([
  ['no header', () => requestWith(undefined)],
  ['an empty header', () => requestWith('')],
  ['a header of another form', () => requestWith('1.e30')],
  ['a proof by another secret', () => requestWith(at('b', Buffer.alloc(32, 8)).write('a', line, origin))],
  ['other claims under the same proof', () => requestWith(forge(header()))],
  ['a proof cut short', () => requestWith(header().slice(0, -1))],
  ['a proof of another version', () => requestWith(header().replace(/^1/, '2'))],
  ['a proof for another node', () => requestWith(at('b').write('c', line, origin))],
  ['a proof for another path', () => requestWith(header(), { url: '/sync/poll/next' })],
  ['a proof for another query', () => requestWith(header(), { url: '/sync/up?ticket=x' })],
  ['a proof for another method', () => requestWith(header(), { method: 'GET' })],
  ['a proof for another host', () => requestWith(header(), { host: 'evil.example' })],
])('%s proves nothing', (_, request) => {
  expect(at('a').readRequest(request())).toBeNull()
})

function forge(proven: string): string {
  const [version, payload = '', mac] = proven.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const forged = Buffer.from(JSON.stringify({ ...claims, peer: '127.0.0.1' })).toString('base64url')
  return `${version}.${forged}.${mac}`
}

test('a proof is stale after half a minute, and one from the future proves nothing', () => {
  const proven = header()
  now += 30_000
  expect(at('a').readRequest(requestWith(proven))).not.toBeNull()
  now += 1
  expect(at('a').readRequest(requestWith(proven))).toBeNull()
  now -= 60_002
  expect(at('a').readRequest(requestWith(proven))).toBeNull()
})
