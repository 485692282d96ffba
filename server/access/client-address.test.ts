import { expect, test } from 'vitest'
import { createClientAddressOf, isNetwork } from './client-address.ts'

const proxies = ['10.0.0.0/8', '192.168.1.1', 'fd00::/8']

test.each<[peer: string, headers: Record<string, string>, trusted: string[], expected: string]>([
  ['203.0.113.7', {}, [], '203.0.113.7'],
  ['::ffff:203.0.113.7', {}, [], '203.0.113.7'],
  ['::ffff:cb00:7107', {}, [], '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', {}, [], '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', {}, [], '2001:db8:1:2::/64'],
  ['2001:db8::1', {}, [], '2001:db8:0:0::/64'],
  ['::1', {}, [], '0:0:0:0::/64'],
  ['fe80::1%eth0', {}, [], 'fe80:0:0:0::/64'],
  ['', {}, [], ''],
  // Nobody is trusted outside the list.
  ['10.0.0.1', { 'x-forwarded-for': '6.6.6.6' }, [], '10.0.0.1'],
  ['203.0.113.7', { 'x-forwarded-for': '6.6.6.6' }, proxies, '203.0.113.7'],
  ['203.0.113.7', { forwarded: 'for=6.6.6.6' }, proxies, '203.0.113.7'],
  ['192.168.1.2', { 'x-forwarded-for': '6.6.6.6' }, proxies, '192.168.1.2'],
  // A proxy on the list is trusted, and the client wrote what stands before the first foreign address.
  ['10.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, proxies, '203.0.113.7'],
  ['::ffff:10.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, proxies, '203.0.113.7'],
  ['fd00::1', { 'x-forwarded-for': '203.0.113.7' }, proxies, '203.0.113.7'],
  ['10.0.0.1', { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' }, proxies, '203.0.113.7'],
  ['10.0.0.1', { 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 192.168.1.1' }, proxies, '203.0.113.7'],
  ['10.0.0.1', { 'x-forwarded-for': '203.0.113.7:4711' }, proxies, '203.0.113.7'],
  ['10.0.0.1', { 'x-forwarded-for': '2001:db8:1:2::9' }, proxies, '2001:db8:1:2::/64'],
  ['10.0.0.1', { 'x-forwarded-for': '10.0.0.2' }, proxies, '10.0.0.2'],
  ['10.0.0.1', {}, proxies, '10.0.0.1'],
  ['10.0.0.1', { 'x-forwarded-for': 'unknown' }, proxies, '10.0.0.1'],
  ['10.0.0.1', { 'x-forwarded-for': '6.6.6.6, nonsense' }, proxies, '10.0.0.1'],
  ['10.0.0.1', { forwarded: 'for=203.0.113.7;proto=https' }, proxies, '203.0.113.7'],
  ['10.0.0.1', { forwarded: 'for=6.6.6.6, By=x;For="203.0.113.7:80"' }, proxies, '203.0.113.7'],
  ['10.0.0.1', { forwarded: 'for="[2001:db8:1:2::9]:4711"' }, proxies, '2001:db8:1:2::/64'],
  ['10.0.0.1', { forwarded: 'for=_hidden' }, proxies, '10.0.0.1'],
  ['10.0.0.1', { forwarded: 'for=6.6.6.6', 'x-forwarded-for': '203.0.113.7' }, proxies, '10.0.0.1'],
])('[A6] peer %s, headers %o, trusted %j: %s', (peer, headers, trusted, expected) => {
  expect(createClientAddressOf(trusted)({ peer, headers })).toBe(expected)
})

test.each([
  ['10.0.0.1', true],
  ['10.0.0.0/8', true],
  ['::1', true],
  ['fd00::/8', true],
  ['10.0.0.0/33', false],
  ['fd00::/129', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/8/8', false],
  ['fe80::1%eth0', false],
  ['proxy.example', false],
  ['', false],
])('%j is a network: %s', (text, expected) => {
  expect(isNetwork(text)).toBe(expected)
})
