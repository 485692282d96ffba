/** Counts the bytes of a header's value in HPACK (RFC 7541, appendix B), for the characters of our headers. */

const byBits: Readonly<Record<number, string>> = {
  5: '012aceiost',
  6: ' %-./3456789=A_bdfghlmnpru',
  7: ':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz',
  8: '&*,;XZ',
}

const bitsOf = new Map(
  Object.entries(byBits).flatMap(([bits, letters]) => letters.split('').map((letter) => [letter, +bits])),
)

/** Takes the shorter of the two encodings. @throws {RangeError} for a character that is not listed here. */
export function huffmanBytes(text: string): number {
  const bits = text.split('').reduce((sum, letter) => sum + bitsFor(letter), 0)
  return Math.min(text.length, Math.ceil(bits / 8))
}

function bitsFor(letter: string): number {
  const bits = bitsOf.get(letter)
  if (bits === undefined) throw new RangeError(`no code is listed for "${letter}"`)
  return bits
}
