/** The name of this browser among a person's devices. */
import { randomId } from '../protocol/ids.ts'
import { windowsStrings } from '../strings/windows.ts'

const DEVICE_KEY = 'diptych.device'

/** The order matters: most browsers also name those they descend from. */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(A|iOS)?\//],
  ['Opera', /\b(OPR|OPX)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** "Chrome on Linux", for a person to tell two or three devices apart. */
export function deviceName(userAgent: string): string {
  const named = (list: typeof browsers): string | undefined =>
    list.find(([, sign]) => sign.test(userAgent))?.[0]
  return windowsStrings.device.name(
    named(browsers) ?? windowsStrings.device.anyBrowser,
    named(systems) ?? windowsStrings.device.anySystem,
  )
}

/** The same id for all windows of this browser. Storage can be forbidden: then each page load is a device of its own. */
export function deviceId(storage: () => Pick<Storage, 'getItem' | 'setItem'>): string {
  try {
    const stored = storage().getItem(DEVICE_KEY)
    if (stored) return stored
    const id = randomId()
    storage().setItem(DEVICE_KEY, id)
    return id
  } catch {
    return randomId()
  }
}
