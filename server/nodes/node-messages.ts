/** What nodes tell each other about themselves. A node of another version may say more; what is unknown is passed over. */

const kinds = ['hello', 'alive', 'goodbye'] as const

export interface NodeMessage {
  /** A `hello` is answered by an `alive` at once. */
  readonly kind: (typeof kinds)[number]
  readonly name: string
  readonly address: string
  /** The fingerprint of the certificate authority by which a proxy knows the node; '' for none, or one that is not known. */
  readonly authority: string
}

export const writeNodeMessage = (message: NodeMessage): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(message))

/** @returns null for what is not such a message. */
export function readNodeMessage(bytes: Uint8Array): NodeMessage | null {
  try {
    const message = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
    const { name, address, authority } = message
    const kind = kinds.find((each) => each === message.kind)
    return kind && typeof name === 'string' && typeof address === 'string'
      ? { kind, name, address, authority: typeof authority === 'string' ? authority : '' }
      : null
  } catch {
    return null
  }
}
