/** Generates friendly names for people who gave none. */
import { createHash } from 'node:crypto'
import { strings } from '../../lib/strings/friendly-names.ts'

/** The same seed always gives the same name: `Quiet Otter`. Names are for people to read; they identify nobody. */
export function friendlyName(seed: string): string {
  const seedHash = createHash('sha256').update(seed).digest()
  const { name, adjectives, animals } = strings
  return name(wordAt(adjectives, seedHash.readUInt32BE(0)), wordAt(animals, seedHash.readUInt32BE(4)))
}

const wordAt = (words: readonly string[], number: number): string => words[number % words.length]!
