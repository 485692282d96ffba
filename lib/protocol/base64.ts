/** Base64 by the platform's own code: Uint8Array's methods, otherwise Node's Buffer, otherwise atob. */

interface Base64Codec {
  encode(bytes: Uint8Array): string
  /** @throws if the text is not base64; Node's Buffer throws nothing and skips unknown characters. */
  decode(text: string): Uint8Array<ArrayBuffer>
}

interface NativeStatic {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>
}

interface BufferLike {
  from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string }
  from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer>
}

const nativeCodec: Base64Codec = {
  encode: (bytes) => (bytes as Uint8Array & { toBase64(): string }).toBase64(),
  decode: (text) => (Uint8Array as NativeStatic).fromBase64!(text),
}

const bufferCodec = (buffer: BufferLike): Base64Codec => ({
  encode: (bytes) => buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  decode(text) {
    const { buffer: memory, byteOffset, byteLength } = buffer.from(text, 'base64')
    return new Uint8Array(memory, byteOffset, byteLength)
  },
})

const atobCodec: Base64Codec = {
  encode: (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
  decode(text) {
    const binary = atob(text)
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
    return bytes
  },
}

function chooseCodec(): Base64Codec {
  if ((Uint8Array as NativeStatic).fromBase64) return nativeCodec
  // Buffer is not a free variable here: bundlers would ship a polyfill of it.
  const { Buffer: buffer } = globalThis as { Buffer?: BufferLike }
  return buffer ? bufferCodec(buffer) : atobCodec
}

export const { encode: toBase64, decode: fromBase64 } = chooseCodec()
