import { inflateSync } from 'fflate'

/** Inflates (RFC 1951) up to `most` bytes at once: the browser's own function answers later, but messages keep their order. */
export const inflate = (deflated: Uint8Array, most: number): Uint8Array =>
  inflateSync(deflated, { out: new Uint8Array(most) })
