import { expect, test } from 'vitest'
import type { AdmitOptions } from './access.ts'
import { accessRequest } from '../fixtures/access-fixture.ts'
import { createOriginCheck } from './origin.ts'

const isAllowed = createOriginCheck({
  allowedOrigins: ['https://docs.example.com', 'https://other.example.com:8443/'],
  hosts: ['Desk.Lan'],
})

const origins = {
  own: 'http://localhost:3000',
  listed: 'https://other.example.com:8443',
  foreign: 'https://evil.example',
  none: undefined,
  null: 'null',
} as const

const proofs = {
  cookie: { cookie: 'diptych.session_token=x' },
  token: { authorization: 'Bearer abc' },
  both: { cookie: 'diptych.session_token=x', authorization: 'Bearer abc' },
  neither: {},
} as const

/** The kinds of requests: a method, the options of its route, and what a browser would add. */
const requestKinds = {
  upgrade: [{ method: 'GET', connection: 'upgrade', upgrade: 'websocket' }, {}],
  connect: [{ method: 'CONNECT', ':protocol': 'websocket' }, {}],
  post: [{ method: 'POST' }, {}],
  'ticketed stream': [{ method: 'GET' }, { ticketed: true }],
  'API read by a program': [{ method: 'GET' }, { safe: true }],
  'API read by a page of ours': [{ method: 'GET', 'sec-fetch-site': 'same-origin' }, { safe: true }],
  'API read by typing its address': [{ method: 'GET', 'sec-fetch-site': 'none' }, { safe: true }],
  'API read by a page elsewhere': [{ method: 'GET', 'sec-fetch-site': 'cross-site' }, { safe: true }],
  'API read by a page on another port': [{ method: 'GET', 'sec-fetch-site': 'same-site' }, { safe: true }],
  'API write': [{ method: 'POST', 'sec-fetch-site': 'same-origin' }, { safe: true }],
} as const satisfies Record<string, readonly [Record<string, string>, AdmitOptions]>

type Proof = keyof typeof proofs

const tokenAlone: readonly Proof[] = ['token']
const anyProof: readonly Proof[] = ['cookie', 'token', 'both', 'neither']

/** The proofs with which each kind is admitted without Origin. */
const proofsWithoutOrigin: Record<keyof typeof requestKinds, readonly Proof[]> = {
  upgrade: tokenAlone,
  connect: tokenAlone,
  post: tokenAlone,
  'ticketed stream': anyProof,
  'API read by a program': tokenAlone,
  'API read by a page of ours': anyProof,
  'API read by typing its address': anyProof,
  'API read by a page elsewhere': [],
  'API read by a page on another port': [],
  'API write': tokenAlone,
}

const cells = Object.keys(requestKinds).flatMap((kind) =>
  Object.keys(origins).flatMap((origin) => Object.keys(proofs).map((proof) => ({ kind, origin, proof }))),
) as { kind: keyof typeof requestKinds; origin: keyof typeof origins; proof: Proof }[]

test.each(cells)('[A1] $kind, Origin $origin, proof $proof', ({ kind, origin, proof }) => {
  const [headers, options] = requestKinds[kind]
  const request = accessRequest({ ...headers, ...proofs[proof], origin: origins[origin] })
  const expected =
    origin === 'own' ||
    origin === 'listed' ||
    (origin === 'none' && proofsWithoutOrigin[kind].includes(proof))
  expect(isAllowed(request, options)).toBe(expected)
})

test.each<[host: string, origin: string, secure: boolean, expected: boolean]>([
  ['localhost:3000', 'http://localhost:3000', false, true],
  ['localhost:3000', 'https://localhost:3000', false, false],
  ['localhost:3000', 'http://localhost:3001', false, false],
  ['localhost:3000', 'http://localhost', false, false],
  ['LOCALHOST:3443', 'https://localhost:3443', true, true],
  ['localhost:443', 'https://localhost', true, true],
  ['a.localhost:3000', 'http://a.localhost:3000', false, true],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000', false, true],
  ['127.0.0.1:3000', 'http://localhost:3000', false, false],
  ['[::1]:3443', 'https://[::1]:3443', true, true],
  ['192.168.1.5:3443', 'https://192.168.1.5:3443', true, true],
  ['desk.lan:3443', 'https://desk.lan:3443', true, true],
  ['docs.example.com', 'https://docs.example.com', false, true],
  ['rebound.evil.example:3000', 'http://rebound.evil.example:3000', false, false],
  ['localhost.evil.example', 'http://localhost.evil.example', false, false],
  ['127.0.0.1.evil.example', 'http://127.0.0.1.evil.example', false, false],
  ['localhost:3000/@x', 'http://localhost:3000', false, false],
])('[A1] Host %s, Origin %s, TLS %s: %s', (host, origin, secure, expected) => {
  expect(isAllowed(accessRequest({ host, origin, secure }))).toBe(expected)
})

test('[A1] a read without Origin is refused under a host name that is not ours', () => {
  const read = { method: 'GET', 'sec-fetch-site': 'same-origin', cookie: 'a=b' }
  expect(isAllowed(accessRequest({ ...read, host: 'rebound.evil.example' }), { safe: true })).toBe(false)
  expect(isAllowed(accessRequest({ ...read, host: 'localhost:3000' }), { safe: true })).toBe(true)
})

test('[A1] HTTP/2 names the host in :authority', () => {
  const request = {
    method: 'POST',
    secure: true,
    peer: '127.0.0.1',
    headers: { ':authority': 'localhost:3443', origin: 'https://localhost:3443' },
  }
  expect(isAllowed(request)).toBe(true)
})

test('an invalid Origin on the list is refused at the start', () => {
  expect(() => createOriginCheck({ allowedOrigins: ['docs.example.com'] })).toThrow()
})
