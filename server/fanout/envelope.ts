/** The bytes of a message between nodes: the sender's name, what kind it is, and what was published. */

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

export const envelopeBytes = (node: string, payload: Uint8Array): number =>
  HEAD_BYTES + node.length + payload.length

/** @param node Letters and digits, at most 255. */
export function writeEnvelope({ node, kind, payload }: Envelope): Buffer {
  const bytes = Buffer.allocUnsafe(envelopeBytes(node, payload))
  bytes[0] = node.length
  bytes[1] = kinds.indexOf(kind)
  bytes.write(node, HEAD_BYTES, 'latin1')
  bytes.set(payload, HEAD_BYTES + node.length)
  return bytes
}

/** @returns null for what no node of this version writes. */
export function readEnvelope(bytes: Buffer): Envelope | null {
  const nameLength = bytes[0]
  const kind = kinds[bytes[1] ?? kinds.length]
  if (nameLength === undefined || kind === undefined || bytes.length < HEAD_BYTES + nameLength) return null
  const node = bytes.toString('latin1', HEAD_BYTES, HEAD_BYTES + nameLength)
  return { node, kind, payload: bytes.subarray(HEAD_BYTES + nameLength) }
}
