/** What a proxy that reads HTTP can do to a request or an answer. Pure: pieces of a body in, pieces out. */

/**
 * What becomes of a POST whose length is known:
 *
 *   answer lost   applied; the client's request breaks off
 *   repeated      applied twice, as by a proxy that tries again; the second answer goes on
 *   late          the client's request breaks off at once; applied afterwards, when the client did something else already
 *   dropped       never applied; the client's request breaks off
 */
export type PostFate = 'passes' | 'answer lost' | 'repeated' | 'late' | 'dropped'

/** What becomes of one piece of data on its way down: an event of an EventSource, a record of any other sync answer. */
export type PieceFate = 'passes' | 'repeated' | 'swapped' | 'dropped'

export interface HttpFaults {
  /** `refused`: 403, as by a firewall. `stripped`: passed on without the header, as by a proxy that knows no WebSocket. */
  upgrade: 'passes' | 'refused' | 'stripped'
  /** An answer goes on once it has ended, as through a buffering proxy. */
  holdAnswers: boolean
  /** A request's body goes on once it has ended. */
  holdBodies: boolean
  /** An answer that takes longer from its first byte breaks off. */
  cutAnswersAfterMs: number
  fateOfPost(path: string): PostFate
  fateOfPiece(path: string): PieceFate
}

export const noHttpFaults = (): HttpFaults => ({
  upgrade: 'passes',
  holdAnswers: false,
  holdBodies: false,
  cutAnswersAfterMs: Infinity,
  fateOfPost: () => 'passes',
  fateOfPiece: () => 'passes',
})

/** The first whole piece of what has come, and where it ends; null while it is not whole. */
type Cut = (bytes: Buffer) => number | null

const cutEvent: Cut = (bytes) => {
  const end = bytes.indexOf('\n\n')
  return end < 0 ? null : end + 2
}

/** docs/PROTOCOL.md: varint(length × 2 + control) · bytes. Read anew here: a proxy knows nothing of our code. */
const cutRecord: Cut = (bytes) => {
  let head = 0
  for (let index = 0; index < Math.min(bytes.length, 8); index++) {
    const byte = bytes[index]!
    head += (byte & 0x7f) * 2 ** (7 * index)
    if (byte >= 0x80) continue
    const end = index + 1 + Math.floor(head / 2)
    return end <= bytes.length ? end : null
  }
  return null
}

/** Cuts an answer into pieces and lets each meet its fate. One an answer. */
export class Pieces {
  readonly #cut: Cut
  readonly #fate: () => PieceFate
  #rest: Buffer = Buffer.alloc(0)
  #held: Buffer | null = null

  constructor(contentType: string, fate: () => PieceFate) {
    this.#cut = contentType.startsWith('text/event-stream') ? cutEvent : cutRecord
    this.#fate = fate
  }

  push(bytes: Buffer): Buffer {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const out: Buffer[] = []
    for (let end = this.#cut(this.#rest); end !== null; end = this.#cut(this.#rest)) {
      out.push(...this.#meet(this.#rest.subarray(0, end)))
      this.#rest = this.#rest.subarray(end)
    }
    return Buffer.concat(out)
  }

  /** What still waited for a successor. */
  end(): Buffer {
    return Buffer.concat([this.#held ?? Buffer.alloc(0), this.#rest])
  }

  #meet(piece: Buffer): Buffer[] {
    const held = this.#held
    this.#held = null
    if (held) return [piece, held]
    switch (this.#fate()) {
      case 'passes':
        return [piece]
      case 'repeated':
        return [piece, piece]
      case 'dropped':
        return []
      case 'swapped':
        this.#held = piece
        return []
    }
  }
}
