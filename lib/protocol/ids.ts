/** Ids that nobody can guess: 16 random bytes as 22 characters of base64url, which fit both a path and a fragment. */

/** The last character carries 2 of 128 bits, so only four are possible: each id has exactly one spelling. */
const form = /^[A-Za-z0-9_-]{21}[AQgw]$/

export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const id = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22)
  // A command line would take it for an option. One in 64 is drawn again, which costs 0.02 of the 128 bits.
  return id.startsWith('-') ? randomId() : id
}

export const newDocumentId = (): string => randomId()

export const isRandomId = (text: string): boolean => form.test(text)

export const isDocumentId = (text: string): boolean => isRandomId(text)
