import { isIP } from 'node:net'
import { expect, test } from 'vitest'
import { networkAddressesFor } from './server-addresses.ts'

const configOf = (host: string, publicUrl: string | null = null) => ({ host, publicUrl })

test.each<[string, ReturnType<typeof configOf>, string, readonly string[]]>([
  ['listens on this computer alone', configOf('127.0.0.1'), 'https://localhost:3443', []],
  ['used by a name that others use, too', configOf('0.0.0.0'), 'https://docs.example.org', []],
  ['plain http is for this computer', configOf('0.0.0.0'), 'http://localhost:3000', []],
  [
    'has a public address',
    configOf('127.0.0.1', 'https://a.example'),
    'https://localhost:3443',
    ['https://a.example'],
  ],
  [
    'has a PUBLIC_URL that is not public',
    configOf('::', 'http://localhost:80'),
    'https://localhost:3443',
    [],
  ],
])('%s', (_title, config, usedOrigin, expected) => {
  expect(networkAddressesFor(config, usedOrigin)).toEqual(expected)
})

test('on the network: the addresses there, with the port in use', () => {
  for (const address of networkAddressesFor(configOf('0.0.0.0'), 'https://127.0.0.1:3443')) {
    const { hostname, port, protocol } = new URL(address)
    expect([protocol, port]).toEqual(['https:', '3443'])
    expect(isIP(hostname.replace(/^\[|\]$/g, ''))).toBeGreaterThan(0)
    expect(hostname).not.toMatch(/^127\.|^\[::1\]$/)
  }
})
