/**
 * The bytes of a message between nodes: the sender's name, what kind it is, what was published, and a proof that a node of this service
 * wrote it for this topic (HMAC-SHA-256, of which 16 bytes are sent, as RFC 2104 allows). A medium may be shared with programs that
 * publish whatever they like: what they write is dropped. What they repeat is taken once more, which edits and presence do not mind; a
 * repeated message of limits takes from them again, and a repeated farewell hides a node until it says that it is there.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../access/installation-secret.ts'

export type EnvelopeKind = 'message' | 'gap'

export interface Envelope {
  readonly node: string
  /** A gap says that its sender could not send some message of the topic. */
  readonly kind: EnvelopeKind
  readonly payload: Uint8Array
}

const kinds: readonly EnvelopeKind[] = ['message', 'gap']

/** One byte for the length of the name, one for the kind. */
const HEAD_BYTES = 2
const PROOF_BYTES = 16
/** Another layout of the envelope gets another number, and so another key. */
const VERSION = 1

export const envelopeBytes = (node: string, payload: Uint8Array): number =>
  HEAD_BYTES + node.length + payload.length + PROOF_BYTES

export class EnvelopeCodec {
  readonly #key: string | null

  /** @param secret What the nodes share, and nobody else knows; undefined within one process, where nothing is proven. */
  constructor(secret: Buffer | undefined) {
    this.#key = secret ? deriveKey(secret, `messages between nodes ${VERSION}`) : null
  }

  /** The node's name: letters and digits, at most 255. */
  write(topic: string, { node, kind, payload }: Envelope): Buffer {
    const bytes = Buffer.alloc(envelopeBytes(node, payload))
    bytes[0] = node.length
    bytes[1] = kinds.indexOf(kind)
    bytes.write(node, HEAD_BYTES, 'latin1')
    bytes.set(payload, HEAD_BYTES + node.length)
    this.#proofOf(topic, bytes.subarray(0, -PROOF_BYTES))?.copy(
      bytes,
      bytes.length - PROOF_BYTES,
      0,
      PROOF_BYTES,
    )
    return bytes
  }

  /** @returns null for what no node of this service and version has written. */
  read(topic: string, bytes: Buffer): Envelope | null {
    const end = bytes.length - PROOF_BYTES
    const nameLength = bytes[0]
    const kind = kinds[bytes[1] ?? kinds.length]
    if (nameLength === undefined || kind === undefined || end < HEAD_BYTES + nameLength) return null
    const proof = this.#proofOf(topic, bytes.subarray(0, end))?.subarray(0, PROOF_BYTES)
    if (proof && !timingSafeEqual(proof, bytes.subarray(end))) return null
    const node = bytes.toString('latin1', HEAD_BYTES, HEAD_BYTES + nameLength)
    return { node, kind, payload: bytes.subarray(HEAD_BYTES + nameLength, end) }
  }

  #proofOf(topic: string, body: Uint8Array): Buffer | null {
    if (this.#key === null) return null
    // The length keeps a topic and what follows it apart.
    return createHmac('sha256', this.#key).update(`${topic.length} ${topic}`).update(body).digest()
  }
}
