/** Says by NOTIFY that its sender publishes by NOTIFY, and why. A node of another version may say more. */

export interface CarrierNotice {
  readonly node: string
  /** Counts the times in which the node published everything by NOTIFY without a break. */
  readonly era: number
  /** Whether the node has lost Redis, so that it hears NOTIFY alone. */
  readonly isDegraded: boolean
}

export const writeCarrierNotice = (notice: CarrierNotice): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(notice))

/** @returns null for what is not such a notice. */
export function readCarrierNotice(bytes: Uint8Array): CarrierNotice | null {
  try {
    const { node, era, isDegraded } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
    const isNotice = typeof node === 'string' && typeof era === 'number' && typeof isDegraded === 'boolean'
    return isNotice ? { node, era, isDegraded } : null
  } catch {
    return null
  }
}
