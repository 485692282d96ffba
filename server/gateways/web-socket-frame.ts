/** A frame of RFC 6455 as a server sends it: final, binary, not masked, not compressed. One buffer may be sent to many sockets. */

const headerBytes = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10)

export const frameBytes = (length: number): number => headerBytes(length) + length

/** Returns where the payload begins. */
export function writeFrameHeader(target: Buffer, offset: number, length: number): number {
  const header = headerBytes(length)
  target[offset] = 0x82
  target[offset + 1] = header === 2 ? length : header === 4 ? 126 : 127
  if (header === 4) target.writeUInt16BE(length, offset + 2)
  if (header === 10) target.writeBigUInt64BE(BigInt(length), offset + 2)
  return offset + header
}

/** Puts header and payload into one buffer: ws writes two, which takes the system nearly twice as long. */
export function encodeBinaryFrame(payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(frameBytes(payload.length))
  frame.set(payload, writeFrameHeader(frame, 0, payload.length))
  return frame
}
