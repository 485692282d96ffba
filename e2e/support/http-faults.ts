/** The faults that a proxy can cause in HTTP requests and answers. Pure: pieces of a body in, pieces out. */

/**
 * The outcomes of a POST whose length is known:
 *
 *   answer lost   applied; the client's request breaks off
 *   repeated      applied twice, as by a proxy that retries; the second answer is passed on
 *   late          the client's request breaks off at once; applied later, when the client has already done something else
 *   dropped       never applied; the client's request breaks off
 */
export type PostOutcome = 'passes' | 'answer lost' | 'repeated' | 'late' | 'dropped'

/** The outcome of one piece of data on its way down: an event of an EventSource, a record of any other sync answer. */
export type PieceOutcome = 'passes' | 'repeated' | 'swapped' | 'dropped'

export interface HttpFaults {
  /** `refused`: 403, as by a firewall. `stripped`: passed on without the header, as by a proxy that does not know WebSockets. */
  upgrade: 'passes' | 'refused' | 'stripped'
  /** Passes an answer on once it has ended, as a buffering proxy does. */
  bufferAnswers: boolean
  /** Passes a request's body on once it has ended. */
  bufferBodies: boolean
  /** Breaks an answer off so long after its first byte. */
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

/** Returns where the first complete piece ends; null while it is incomplete. */
type FindPieceEnd = (bytes: Buffer) => number | null

const findEventEnd: FindPieceEnd = (bytes) => {
  const end = bytes.indexOf('\n\n')
  return end < 0 ? null : end + 2
}

/** Reads a record by docs/PROTOCOL.md: varint(length × 2 + control) · bytes. It does not use our code, because a proxy has none of it. */
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

/** Splits one answer into pieces and applies an outcome to each. */
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

  /** Returns the piece that still waited for a successor. */
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
