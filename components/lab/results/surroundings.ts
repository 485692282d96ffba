import { deviceName } from '@/lib/windows/device.ts'
import type { Surroundings } from './reading'

export const surroundings = (): Surroundings => ({
  version: 2,
  at: Date.now(),
  browser: deviceName(navigator.userAgent),
  scheme: location.protocol,
})

export const surroundingsText = ({ at, browser, scheme }: Surroundings): string =>
  `${new Date(at).toLocaleString()}, ${browser}, over ${scheme === 'https:' ? 'https' : 'http'}`
