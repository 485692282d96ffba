/** What a proxy that reads HTTP can do to a request or an answer. Pure: pieces of a body in, pieces out. */

/**
 * What becomes of a POST whose length is known:
 *
 *   answer lost   applied; the client's request breaks off
 *   repeated      applied twice, as by a proxy that tries again; the second answer goes on
 *   late          the client's request breaks off at once; applied afterwards, when the client did something else already
 *   dropped       never applied; the client's request breaks off
 */
export type PostOutcome = 'passes' | 'answer lost' | 'repeated' | 'late' | 'dropped'

/** What becomes of one piece of data on its way down: an event of an EventSource, a record of any other sync answer. */
export type PieceOutcome = 'passes' | 'repeated' | 'swapped' | 'dropped'

export interface HttpFaults {
  /** `refused`: 403, as by a firewall. `stripped`: passed on without the header, as by a proxy that knows no WebSocket. */
  upgrade: 'passes' | 'refused' | 'stripped'
  /** An answer goes on once it has ended, as through a buffering proxy. */
  bufferAnswers: boolean
  /** A request's body goes on once it has ended. */
  bufferBodies: boolean
  /** An answer that takes longer from its first byte breaks off. */
  cutAnswersAfterMs: number
  choosePostOutcome(path: string): PostOutcome
  choosePieceOutcome(path: string): PieceOutcome
}

export const noHttpFaults = (): HttpFaults => ({
  upgrade: 'passes',
  bufferAnswers: false,
  bufferBodies: false,
  cutAnswersAfterMs: Infinity,
  choosePostOutcome: () => 'passes',
  choosePieceOutcome: () => 'passes',
})

/** The first whole piece of what has come, and where it ends; null while it is not whole. */
type FindPieceEnd = (bytes: Buffer) => number | null

const findEventEnd: FindPieceEnd = (bytes) => {
  const end = bytes.indexOf('\n\n')
  return end < 0 ? null : end + 2
}

/** docs/PROTOCOL.md: varint(length × 2 + control) · bytes. Read anew here: a proxy knows nothing of our code. */
const findRecordEnd: FindPieceEnd = (bytes) => {
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
export class AnswerSplitter {
  readonly #findPieceEnd: FindPieceEnd
  readonly #chooseOutcome: () => PieceOutcome
  #incompleteBytes: Buffer = Buffer.alloc(0)
  #delayedPiece: Buffer | null = null

  constructor(contentType: string, chooseOutcome: () => PieceOutcome) {
    this.#findPieceEnd = contentType.startsWith('text/event-stream') ? findEventEnd : findRecordEnd
    this.#chooseOutcome = chooseOutcome
  }

  push(bytes: Buffer): Buffer {
    this.#incompleteBytes = Buffer.concat([this.#incompleteBytes, bytes])
    const out: Buffer[] = []
    for (
      let end = this.#findPieceEnd(this.#incompleteBytes);
      end !== null;
      end = this.#findPieceEnd(this.#incompleteBytes)
    ) {
      out.push(...this.#applyOutcome(this.#incompleteBytes.subarray(0, end)))
      this.#incompleteBytes = this.#incompleteBytes.subarray(end)
    }
    return Buffer.concat(out)
  }

  /** What still waited for a successor. */
  end(): Buffer {
    return Buffer.concat([this.#delayedPiece ?? Buffer.alloc(0), this.#incompleteBytes])
  }

  #applyOutcome(piece: Buffer): Buffer[] {
    const delayed = this.#delayedPiece
    this.#delayedPiece = null
    if (delayed) return [piece, delayed]
    switch (this.#chooseOutcome()) {
      case 'passes':
        return [piece]
      case 'repeated':
        return [piece, piece]
      case 'dropped':
        return []
      case 'swapped':
        this.#delayedPiece = piece
        return []
    }
  }
}
