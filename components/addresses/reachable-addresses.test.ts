import { expect, test } from 'vitest'
import { reachableAddressesOf } from './reachable-addresses.ts'

test.each<[string, string, readonly string[], ReturnType<typeof reachableAddressesOf>]>([
  [
    'a network name works for every device',
    'https://docs.example.org',
    [],
    { origins: ['https://docs.example.org'], isLocalOnly: false, hasUntrustedCertificate: false },
  ],
  [
    'localhost means this computer',
    'https://localhost:3443',
    [],
    { origins: ['https://localhost:3443'], isLocalOnly: true, hasUntrustedCertificate: false },
  ],
  [
    'its other names mean this computer, too',
    'http://127.0.0.1:3000',
    [],
    { origins: ['http://127.0.0.1:3000'], isLocalOnly: true, hasUntrustedCertificate: false },
  ],
  [
    'better addresses from the server replace it',
    'https://localhost:3443',
    ['https://192.168.1.5:3443', 'https://[fd00::5]:3443'],
    {
      origins: ['https://192.168.1.5:3443', 'https://[fd00::5]:3443'],
      isLocalOnly: false,
      hasUntrustedCertificate: true,
    },
  ],
  [
    'an address that works is kept',
    'https://192.168.1.5:3443',
    ['https://10.0.0.1'],
    { origins: ['https://192.168.1.5:3443'], isLocalOnly: false, hasUntrustedCertificate: true },
  ],
])('%s', (_title, own, serverOrigins, expected) => {
  expect(reachableAddressesOf(own, serverOrigins)).toEqual(expected)
})
