import { inflateSync } from 'fflate'

/** Of deflated bytes (RFC 1951) at most so many, at once: the browser's own answers later, and messages are taken in their order. */
export const inflate = (deflated: Uint8Array, most: number): Uint8Array =>
  inflateSync(deflated, { out: new Uint8Array(most) })
