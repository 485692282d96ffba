/**
 * Builds the content security policy of a page: what its scripts, styles and requests may be. Every page has its own nonce, which
 * `'strict-dynamic'` extends to the scripts that a trusted script loads. It knows no requests.
 */
import { randomBytes } from 'node:crypto'

const NONCE_BYTES = 16

export const createNonce = (): string => randomBytes(NONCE_BYTES).toString('base64')

/**
 * Sonner takes no nonce, and writes its style sheet into the page as it loads: first an empty one, then the text. A test compares
 * the second digest with the package.
 */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
export const SONNER_STYLE = "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='"

export interface ContentPolicyOptions {
  readonly nonce: string
  /** In development React rebuilds the server's stacks by `eval`, and Next's tools write style sheets of their own. */
  readonly dev: boolean
}

export function contentPolicy({ nonce, dev }: ContentPolicyOptions): string {
  const styles = dev ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}' ${EMPTY_STYLE} ${SONNER_STYLE}`
  const directives = {
    'default-src': "'self'",
    'script-src': `'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    'script-src-attr': "'none'",
    'style-src': styles,
    // The server renders widths and colours into style attributes, and the editor draws carets with them.
    'style-src-attr': "'unsafe-inline'",
    // Pictures of a text that are on this device.
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'media-src': "'none'",
    'frame-src': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')
}

/** The policy of a fragment that a page fetches to update itself: a fragment is no page, and nothing in it may run or load. */
export const FRAGMENT_POLICY = "default-src 'none'; frame-ancestors 'none'"

/**
 * The product places windows on screens and copies addresses, and asks nothing else of the browser. Features that browsers do not
 * agree on are left out, because a browser logs an error for each one that it does not know.
 */
export const PERMISSIONS = [
  'window-management=(self)',
  'clipboard-read=(self)',
  'clipboard-write=(self)',
  'fullscreen=(self)',
  ...[
    'accelerometer',
    'autoplay',
    'camera',
    'display-capture',
    'encrypted-media',
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'local-fonts',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'publickey-credentials-get',
    'screen-wake-lock',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ].map((feature) => `${feature}=()`),
].join(', ')
