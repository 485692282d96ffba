/** Friendly names for people who gave none. */
import { createHash } from 'node:crypto'

// prettier-ignore
const adjectives = [
  'Amber', 'Brave', 'Bright', 'Calm', 'Cheerful', 'Clever', 'Curious', 'Daring', 'Eager', 'Gentle', 'Golden', 'Happy', 'Honest',
  'Jolly', 'Keen', 'Kind', 'Lively', 'Lucky', 'Mellow', 'Merry', 'Nimble', 'Noble', 'Patient', 'Playful', 'Polite', 'Quick',
  'Quiet', 'Silver', 'Sunny', 'Swift', 'Warm', 'Wise',
]

// prettier-ignore
const animals = [
  'Badger', 'Bear', 'Beaver', 'Bison', 'Crane', 'Deer', 'Dolphin', 'Eagle', 'Falcon', 'Ferret', 'Finch', 'Fox', 'Hare', 'Hedgehog',
  'Heron', 'Ibis', 'Koala', 'Lark', 'Lynx', 'Marten', 'Mole', 'Otter', 'Owl', 'Panda', 'Puffin', 'Raven', 'Robin', 'Seal',
  'Sparrow', 'Swan', 'Turtle', 'Wren',
]

/** The same seed always gives the same name: `Quiet Otter`. Names are for people; they identify nobody. */
export function friendlyName(seed: string): string {
  const digest = createHash('sha256').update(seed).digest()
  return `${pick(adjectives, digest.readUInt32BE(0))} ${pick(animals, digest.readUInt32BE(4))}`
}

const pick = (words: readonly string[], number: number): string => words[number % words.length]!
