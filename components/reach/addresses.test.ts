import { expect, test } from 'vitest'
import { reachOf } from './addresses.ts'

test.each<[string, string, readonly string[], ReturnType<typeof reachOf>]>([
  [
    'a name on the network is good for all',
    'https://docs.example.org',
    [],
    { origins: ['https://docs.example.org'], onlyHere: false, warns: false },
  ],
  [
    'localhost is this computer',
    'https://localhost:3443',
    [],
    { origins: ['https://localhost:3443'], onlyHere: true, warns: false },
  ],
  [
    'so are its other names',
    'http://127.0.0.1:3000',
    [],
    { origins: ['http://127.0.0.1:3000'], onlyHere: true, warns: false },
  ],
  [
    'where the server knows better, that counts',
    'https://localhost:3443',
    ['https://192.168.1.5:3443', 'https://[fd00::5]:3443'],
    { origins: ['https://192.168.1.5:3443', 'https://[fd00::5]:3443'], onlyHere: false, warns: true },
  ],
  [
    'an address that works is kept',
    'https://192.168.1.5:3443',
    ['https://10.0.0.1'],
    { origins: ['https://192.168.1.5:3443'], onlyHere: false, warns: true },
  ],
])('%s', (_title, own, elsewhere, expected) => {
  expect(reachOf(own, elsewhere)).toEqual(expected)
})
