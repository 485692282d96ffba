/** Generates friendly names for people who gave none. */
import { createHash } from 'node:crypto'
import { friendlyNamesStrings } from '../../lib/strings/friendly-names.ts'

/** The same seed always gives the same name: `Quiet Otter`. Names are for people to read; they identify nobody. */
export function friendlyName(seed: string): string {
  const seedHash = createHash('sha256').update(seed).digest()
  const { name, adjectives, animals } = friendlyNamesStrings
  return name(wordAt(adjectives, seedHash.readUInt32BE(0)), wordAt(animals, seedHash.readUInt32BE(4)))
}

const REMEMBERED_NAMES = 256
const MAX_ATTEMPTS = 8

/** The names that this server gave lately: people who open a document together should not be called the same. */
export class RecentNames {
  readonly #names = new Set<string>()

  /** Returns the first that has a name of its own; after some attempts whatever comes. */
  choose<Named extends { readonly name: string }>(make: () => Named): Named {
    let made = make()
    for (let attempt = 1; attempt < MAX_ATTEMPTS && this.#names.has(made.name); attempt++) made = make()
    this.#remember(made.name)
    return made
  }

  #remember(name: string): void {
    this.#names.delete(name)
    this.#names.add(name)
    if (this.#names.size > REMEMBERED_NAMES) this.#names.delete(this.#names.keys().next().value!)
  }
}

const wordAt = (words: readonly string[], number: number): string => words[number % words.length]!
