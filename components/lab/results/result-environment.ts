import { labStrings } from '@/lib/strings/lab.ts'
import { deviceName } from '@/lib/windows/device.ts'
import type { ResultEnvironment } from './read-result.ts'

export const currentResultEnvironment = (): ResultEnvironment => ({
  version: 2,
  at: Date.now(),
  browser: deviceName(navigator.userAgent),
  scheme: location.protocol,
})

/** On a 24-hour clock, as in every list of figures. */
const timeText = (at: number): string =>
  new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })

export const resultEnvironmentText = ({ at, browser, scheme }: ResultEnvironment): string =>
  labStrings.saved.surroundings(timeText(at), browser, scheme === 'https:' ? 'https' : 'http')
