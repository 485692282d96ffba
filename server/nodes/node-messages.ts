/** What nodes tell each other about themselves. A node of another version may say more; what is unknown is passed over. */

const kinds = ['hello', 'alive', 'goodbye'] as const

export interface NodeMessage {
  /** A `hello` is answered by an `alive` at once. */
  readonly kind: (typeof kinds)[number]
  readonly name: string
  readonly address: string
}

export const writeNodeMessage = (message: NodeMessage): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(message))

/** @returns null for what is not such a message. */
export function readNodeMessage(bytes: Uint8Array): NodeMessage | null {
  try {
    const { kind, name, address } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
    const known = kinds.find((each) => each === kind)
    return known && typeof name === 'string' && typeof address === 'string'
      ? { kind: known, name, address }
      : null
  } catch {
    return null
  }
}
