/** Two versions in two windows: each shows one of them, and both go to the same change. */

/** The version that a window shows, and the one that the other window shows. */
export interface VersionPair {
  readonly version: string
  readonly other: string
}

export const pairHashOf = ({ version, other }: VersionPair): string =>
  `#${new URLSearchParams({ version, other })}`

/** Null for a fragment that names no two. Anybody can write one. */
export function readPairHash(hash: string): VersionPair | null {
  const fields = new URLSearchParams(hash.slice(1))
  const [version, other] = [fields.get('version'), fields.get('other')]
  return version && other ? { version, other } : null
}

/** What the windows of a pair tell each other: the number of the difference that one has gone to. */
export const openPairChannel = (document: string, { version, other }: VersionPair): BroadcastChannel =>
  new BroadcastChannel(`history ${document} ${[version, other].toSorted().join(' ')}`)
