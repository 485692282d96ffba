/** Reads the letters of a file, whatever program wrote it. */
import { importStrings } from '../strings/import.ts'
import { ImportRefused, type ImportSource } from './imported-document.ts'
import { MAX_LETTERS } from './import-limits.ts'

/** UTF-16 where its mark or its zeros say so, UTF-8, or else what Windows wrote for decades. @throws {ImportRefused} */
export function decodeText({ name, bytes }: ImportSource, maxLetters = MAX_LETTERS): string {
  const text = decode(bytes).replace(/^\uFEFF/, '')
  if (text.trim() === '') throw new ImportRefused(importStrings.refused.empty(name))
  if (text.length > maxLetters) throw new ImportRefused(importStrings.refused.tooLong(name, maxLetters))
  if (isBinary(text)) throw new ImportRefused(importStrings.refused.notText(name))
  return text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
}

/** No text begins with such signs, and each picture and program has some. */
function isBinary(text: string): boolean {
  for (let at = 0; at < Math.min(text.length, 10_000); at++) {
    const code = text.charCodeAt(at)
    if (code < 7 || (code > 13 && code < 27)) return true
  }
  return false
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || isUtf16(bytes, 1))
    return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || isUtf16(bytes, 0))
    return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Whether most of the first letters are of Latin, and their other byte is 0. @param zeroAt 1 for little endian. */
function isUtf16(bytes: Uint8Array, zeroAt: 0 | 1): boolean {
  const beginning = bytes.subarray(0, 512)
  if (beginning.length < 4 || bytes.length % 2 !== 0) return false
  const zeros = [0, 0]
  for (const [at, byte] of beginning.entries()) if (byte === 0) zeros[at % 2]!++
  return zeros[1 - zeroAt] === 0 && zeros[zeroAt]! > beginning.length / 4
}
