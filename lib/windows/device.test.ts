import { expect, test } from 'vitest'
import { deviceId, deviceName } from './device.ts'

const like = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${like} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Mac'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${like} Chrome/156.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['curl/8', 'A browser on a device'],
])('%s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})

test('a browser keeps its id, and has one for each page where it can store nothing', () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  expect(deviceId(() => storage)).toBe(deviceId(() => storage))
  const forbidden = () => {
    throw new Error('forbidden')
  }
  expect(deviceId(forbidden)).not.toBe(deviceId(forbidden))
})
