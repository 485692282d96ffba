/**
 * Encodes and reads Yjs updates (V1) without a Y.Doc. Each is one letter, at the end of what its author wrote. Its id is the author's
 * Yjs client and clock, which every server passes on unchanged, merged or not.
 */
import * as encoding from 'lib0/encoding'

const STRING = 4
const HAS_ORIGIN = 0x80
const HAS_RIGHT_ORIGIN = 0x40
const HAS_PARENT_KEY = 0x20
/** The name of the Y.Text that the letters go into. */
const ROOT = 'crowd'

/** Encodes the letter that `client` writes at `clock`. */
export function encodeLetter(client: number, clock: number): Uint8Array {
  const encoder = encoding.createEncoder()
  for (const number of [1, 1, client, clock]) encoding.writeVarUint(encoder, number)
  if (clock === 0) {
    encoding.writeVarUint(encoder, STRING)
    encoding.writeVarUint(encoder, 1)
    encoding.writeVarString(encoder, ROOT)
  } else {
    encoding.writeUint8(encoder, STRING | HAS_ORIGIN)
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, clock - 1)
  }
  encoding.writeVarString(encoder, 'e')
  encoding.writeVarUint(encoder, 0)
  return encoding.toUint8Array(encoder)
}

type Visit = (client: number, clock: number, length: number) => void

/** Visits each run of letters in an update, however it was merged. @throws {Error} for an update with anything else. */
export function readLetters(update: Uint8Array, visit: Visit): void {
  new LetterReader(update).run(visit)
}

/** Creates no objects, as Yjs's own reader does: a crowd reads a hundred thousand updates a second. */
class LetterReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  run(visit: Visit): void {
    for (let runs = this.#number(); runs > 0; runs--) {
      const structs = this.#number()
      const client = this.#number()
      let clock = this.#number()
      for (let left = structs; left > 0; left--) {
        const length = this.#struct()
        visit(client, clock, length)
        clock += length
      }
    }
  }

  /** Returns the number of letters in it. */
  #struct(): number {
    const info = this.#bytes[this.#at++]!
    if ((info & 0x1f) !== STRING) throw new Error(`a struct of kind ${info & 0x1f} among letters`)
    if (info & HAS_ORIGIN) this.#skipId()
    if (info & HAS_RIGHT_ORIGIN) this.#skipId()
    if (!(info & (HAS_ORIGIN | HAS_RIGHT_ORIGIN))) this.#skipParent(info)
    return this.#skipString()
  }

  #skipParent(info: number): void {
    if (this.#number() === 1) this.#skipString()
    else this.#skipId()
    if (info & HAS_PARENT_KEY) this.#skipString()
  }

  #skipId(): void {
    this.#number()
    this.#number()
  }

  #skipString(): number {
    const length = this.#number()
    this.#at += length
    return length
  }

  #number(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new Error('an update that ends too early')
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
}
