/**
 * Reads the entries of a zip, each when it is asked for. All that it inflates is counted, whatever the zip says of sizes. Knows bytes; does
 * not know what is in the files, or paths of a disk: a name is only ever compared.
 */
import { inflate } from '#inflate'
import { importStrings } from '../strings/import.ts'
import { MAX_INFLATED_BYTES, MAX_ZIP_ENTRIES } from './import-limits.ts'
import { ImportRefused } from './imported-document.ts'

/** Counts over a zip and those within it. */
export interface ZipBudget {
  entries: number
  bytes: number
}

export const newZipBudget = (): ZipBudget => ({ entries: MAX_ZIP_ENTRIES, bytes: MAX_INFLATED_BYTES })

export interface ZipEntry {
  /** As it stands in the zip, with slashes. */
  readonly name: string
  /** @throws {ImportRefused} */
  read(): Uint8Array<ArrayBuffer>
}

const END = 0x06_05_4b_50
const ENTRY = 0x02_01_4b_50
const LOCAL = 0x04_03_4b_50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xff_ff

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)

/** @param name Of the zip, for a sentence. Folders are left out. @throws {ImportRefused} */
export function readZip(bytes: Uint8Array, name: string, budget: ZipBudget): ZipEntry[] {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const broken = () => new ImportRefused(importStrings.refused.tooHard(name))
  const end = endOf(data)
  if (end === null) throw broken()
  const count = data.getUint16(end + 10, true)
  budget.entries -= count
  // A zip of 64 bits says so by this number.
  if (count === 0xff_ff || budget.entries < 0)
    throw new ImportRefused(importStrings.refused.tooManyEntries(name))
  const entries: ZipEntry[] = []
  let at = data.getUint32(end + 16, true)
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || data.getUint32(at, true) !== ENTRY) throw broken()
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      data.getUint16(at + field, true),
    )
    const entryName = decodeName(bytes.subarray(at + 46, at + 46 + nameLength!))
    const header = at
    if (!entryName.endsWith('/'))
      entries.push({ name: entryName, read: () => readEntry(bytes, data, header, name, budget) })
    at += 46 + nameLength! + extraLength! + commentLength!
  }
  return entries
}

/** Where the end of the directory stands: before a comment. Null where there is none. */
function endOf(data: DataView): number | null {
  const last = data.byteLength - END_BYTES
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--)
    if (data.getUint32(at, true) === END) return at
  return null
}

const decodeName = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes).replaceAll('\\', '/').replaceAll('\0', '')

function readEntry(
  bytes: Uint8Array,
  data: DataView,
  header: number,
  name: string,
  budget: ZipBudget,
): Uint8Array<ArrayBuffer> {
  const broken = (cause?: unknown) => new ImportRefused(importStrings.refused.tooHard(name), { cause })
  const [flags, method] = [data.getUint16(header + 8, true), data.getUint16(header + 10, true)]
  const [packed, local] = [data.getUint32(header + 20, true), data.getUint32(header + 42, true)]
  if (local + 30 > bytes.length || data.getUint32(local, true) !== LOCAL) throw broken()
  if (flags & 1) throw new ImportRefused(importStrings.refused.locked(name))
  const start = local + 30 + data.getUint16(local + 26, true) + data.getUint16(local + 28, true)
  if (start + packed > bytes.length) throw broken()
  const stored = bytes.subarray(start, start + packed)
  if (method !== 0 && method !== 8) throw broken()
  const content = method === 0 ? stored : inflateWithin(stored, name, budget)
  budget.bytes -= content.length
  if (budget.bytes < 0) throw new ImportRefused(importStrings.refused.tooMuchInside(name))
  return Uint8Array.from(content)
}

function inflateWithin(stored: Uint8Array, name: string, budget: ZipBudget): Uint8Array {
  try {
    return inflate(stored, Math.max(1, budget.bytes))
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    // What was inflated up to the limit has been paid for: nothing after it is.
    if (isLarge) budget.bytes = -1
    const sentence = isLarge ? importStrings.refused.tooMuchInside(name) : importStrings.refused.tooHard(name)
    throw new ImportRefused(sentence, { cause: error })
  }
}
