/** A message between nodes begins with the version of its layout: a node of another release passes over what it cannot read. */
import {
  createDecoder,
  createEncoder,
  type Decoder,
  type Encoder,
  readNumber,
  toBytes,
  writeNumber,
} from '../../lib/protocol/wire.ts'

export function writeVersionedMessage(version: number, write: (encoder: Encoder) => void): Uint8Array {
  const encoder = createEncoder()
  writeNumber(encoder, version)
  write(encoder)
  return toBytes(encoder)
}

/** Null for a message of another version, which `read` does not see. @throws {ProtocolError} for bytes that end too early. */
export function readVersionedMessage<Message>(
  version: number,
  bytes: Uint8Array,
  read: (decoder: Decoder) => Message,
): Message | null {
  const decoder = createDecoder(bytes)
  return readNumber(decoder) === version ? read(decoder) : null
}
