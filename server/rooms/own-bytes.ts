/** What a view may keep alive beside its own bytes: the heads of a message and its frame, not the frame of another edit. */
const MAX_FOREIGN_BYTES = 1024

/** Returns the bytes as they are if they have their buffer nearly for themselves, and else a copy, so that the buffer can go. */
export const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength - bytes.length > MAX_FOREIGN_BYTES ? new Uint8Array(bytes) : bytes
