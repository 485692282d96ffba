import { expect, test } from 'vitest'
import type { GatewayRequest } from './gateways/gateway-request.ts'
import { httpsLocationOf, isFromThisComputer } from './https-redirect.ts'

const requestFrom = (peer: string, host: string, url = '/') =>
  ({ url, headers: { host }, socket: { remoteAddress: peer } }) as unknown as GatewayRequest

test.each([
  ['127.0.0.1', 'localhost:3000', true],
  ['::ffff:127.0.0.1', '127.0.0.1:3000', true],
  ['::1', '[::1]:3000', true],
  ['127.0.0.1', 'docs.localhost', true],
  ['127.0.0.1', 'docs.example.org', false],
  ['127.0.0.1', 'localhost.example.org', false],
  ['127.0.0.1', '', false],
  ['127.0.0.1', 'localhost@example.org', false],
  ['192.168.1.7', 'localhost:3000', false],
  ['::ffff:192.168.1.7', 'localhost:3000', false],
  ['192.168.1.7', '192.168.1.5:3000', false],
])('from %s to Host %j is local: %j', (peer, host, expected) => {
  expect(isFromThisComputer(requestFrom(peer, host))).toBe(expected)
})

test.each([
  ['192.168.1.5:3000', 3443, null, 'https://192.168.1.5:3443/d/1?a'],
  ['[fe80::1]:3000', 3443, null, 'https://[fe80::1]:3443/d/1?a'],
  ['docs.example.org', 443, null, 'https://docs.example.org/d/1?a'],
  ['192.168.1.5', 3443, 'https://docs.example.org', 'https://docs.example.org/d/1?a'],
  ['192.168.1.5', 3443, 'http://localhost:8080', 'https://192.168.1.5:3443/d/1?a'],
  ['', 3443, null, null],
  ['evil.example/\\x', 3443, null, null],
])('Host %j goes to port %d or %j: %j', (host, httpsPort, publicUrl, expected) => {
  expect(httpsLocationOf(requestFrom('192.168.1.7', host, '/d/1?a'), { httpsPort, publicUrl })).toBe(expected)
})
