/**
 * Counts what the integration of one edit costs, and limits it: a hostile edit can make Yjs compare each of its items with all others,
 * which takes minutes for a megabyte, while everybody on the server waits. Counts work and reads no clock, so an edit is answered alike on
 * every machine, slow or busy. Knows prices; does not know Yjs.
 */
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { RoomRefusal } from './rooms.ts'

const MIB = 1024 * 1024

/**
 * What work costs, in units: one is about a microsecond of a common core. Each price was measured once, with Yjs 13.6, by documents of
 * 100,000 structs of letters and of paragraphs, and rounded up; the comments say what was measured.
 */
export const UNITS = {
  /** What every edit causes, however short: its check, a transaction, its place in the queue. 0.1 to 0.5 ms. */
  edit: 200,
  /** Reading a byte: 1 ns of a text, 20 ns of values. */
  byte: 0.02,
  /** Decoding and checking a struct: 0.3 to 0.7 µs. */
  read: 0.5,
  /** Integrating a struct that is compared with none: 0.2 to 0.3 µs. */
  integrate: 0.5,
  /** Deleting an item, with all that Yjs does with it afterwards: 0.5 to 1.5 µs. */
  deletion: 1,
  /** A step along a list: 20 to 100 ns. */
  step: 0.05,
  /** Comparing an item with another one to find its place: 0.2 to 0.5 µs in Yjs, and 0.3 µs to count it. */
  comparison: 0.8,
  /** Moving a struct in its list: 0.1 ns. */
  moved: 1 / 4096,
  /** Copying a value of an array: 3.3 ns. */
  copied: 1 / 256,
  /** Copying a letter of a text that was put together: 0.45 ns. */
  letter: 1 / 2048,
  /** Building a Y.Doc, by its bytes: 10 to 100 ms for a MiB. */
  builtByte: 100_000 / MIB,
} as const

/** What an edit may cost beyond its own structs, bytes and deletions, which other limits bound: as it comes, and for each byte. */
const MAX_UNITS = 50_000
const MAX_UNITS_PER_BYTE = 50_000 / MIB
/** An honest edit costs at most this. The rest is charged to the sender. */
const NORMAL_UNITS = 500
const NORMAL_UNITS_PER_BYTE = 50_000 / MIB

export class IntegrationCost {
  readonly #maxUnits: number
  #normalUnits = 0
  /** What grows with the edit only; all that it deletes is deleted only once. */
  #ownUnits: number = UNITS.edit
  /** What depends on the document, and is limited. */
  #searchUnits = 0

  /** @param bytes The edit's length. */
  constructor(bytes: number) {
    this.#maxUnits = MAX_UNITS + MAX_UNITS_PER_BYTE * bytes
    this.setNewBytes(bytes)
    this.countBytes(bytes)
  }

  get spentUnits(): number {
    return this.#ownUnits + this.#searchUnits
  }

  /** What goes beyond an honest edit of this size. */
  get excessUnits(): number {
    return Math.max(0, this.spentUnits - this.#normalUnits)
  }

  /** @param bytes The number of new bytes; repeated ones, however many, are no honest edit's. */
  setNewBytes(bytes: number): void {
    this.#normalUnits = NORMAL_UNITS + NORMAL_UNITS_PER_BYTE * bytes
  }

  /** Counts all units as excess, because no honest client sends this edit. */
  countAllUnits(): void {
    this.#normalUnits = 0
  }

  countBytes(bytes: number): void {
    this.#ownUnits += bytes * UNITS.byte
  }

  countRead(structs = 1): void {
    this.#ownUnits += structs * UNITS.read
  }

  countIntegrated(structs = 1): void {
    this.#ownUnits += structs * UNITS.integrate
  }

  countDeletions(items: number): void {
    this.#ownUnits += items * UNITS.deletion
  }

  /** Counts what the edit causes elsewhere. */
  addUnits(units: number): void {
    this.#ownUnits += units
  }

  /** Called before Yjs compares this many items. @throws {RoomRefusal} `too-costly` */
  countComparisons(items: number): void {
    this.#countSearch(items * UNITS.comparison)
  }

  /** Counts structs that were visited. @throws {RoomRefusal} `too-costly` */
  countSteps(structs = 1): void {
    this.#countSearch(structs * UNITS.step)
  }

  /** Counts structs that are moved in their list. @throws {RoomRefusal} `too-costly` */
  countMoved(structs: number): void {
    this.#countSearch(structs * UNITS.moved)
  }

  /** Counts values of an array that are copied. @throws {RoomRefusal} `too-costly` */
  countCopied(values: number): void {
    this.#countSearch(values * UNITS.copied)
  }

  /** Counts letters of a text that is copied. @throws {RoomRefusal} `too-costly` */
  countLetters(letters: number): void {
    this.#countSearch(letters * UNITS.letter)
  }

  /** Counts what is done already: the next check refuses it, if there is one. */
  countDone(units: number): void {
    this.#searchUnits += units
  }

  /** @throws {RoomRefusal} `too-costly` */
  check(): void {
    if (this.#searchUnits <= this.#maxUnits) return
    throw new RoomRefusal({
      code: 'too-costly',
      detail: serverRefusalsStrings.edit.muchWork(Math.floor(this.#maxUnits)),
    })
  }

  #countSearch(units: number): void {
    this.#searchUnits += units
    this.check()
  }
}
