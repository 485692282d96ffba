/**
 * What work costs beside the integration of edits (rooms/integration-cost.ts), in the same units: one stands for about a microsecond of a
 * common core. A price follows from counts alone: entries, bytes, statements, members. Each was measured once, and rounded up; the
 * comments say what was measured. Knows numbers; does not know who pays.
 */
import { UNITS } from '../rooms/integration-cost.ts'

/** What the meter and the metrics call work. */
export type WorkKind =
  | 'edit'
  | 'join'
  | 'state'
  | 'digest'
  | 'repeat'
  | 'ping'
  | 'clock'
  | 'trace'
  | 'request'
  | 'presence'
  | 'take'
  | 'ticket'
  | 'api'
  | 'page'

export const PRICES = {
  /** An answer of a few bytes in a frame of its own (`pong`, `clock`), or a small message to others: 10 to 20 µs. */
  answer: 20,
  /** A statement of the database: 30 to 200 µs, part of them in its thread. */
  statement: 100,
  /** A message of a stock client, read or not: 2 µs. */
  stockMessage: 2,
  /** Handing presence to one more reader: 0.5 to 1 µs. */
  reader: 1,
  /** Sending a byte, TLS included: 2 to 4 ns. */
  sentByte: 1 / 256,
  /** Encoding a byte that somebody lacks: 10 to 40 ns in text typed here and there, whose items of 80 ns have five bytes at least. */
  encodedByte: 1 / 64,
  /** Walking over a text to find what somebody lacks, by its bytes: 1 to 2 ns, and 6 ns an item. */
  walkedByte: 1 / 512,
  /** A client in a state vector: decoding, comparing and encoding it, 2 µs. */
  entry: 2,
  /** Hashing a text, by its bytes: 2 to 4 ns. */
  hashedByte: 1 / 256,
  /** A byte of a file that is written to the disk and hashed: 3 to 6 ns. */
  uploadedByte: 1 / 128,
  /** A byte that is inflated: 3 to 4 ns. */
  inflatedByte: 1 / 256,
  /** A request of the API without its work: 200 to 400 µs. */
  request: 300,
  /** A row of an answer. */
  row: 5,
  /** A page that Next renders: 2 to 4 ms. */
  page: 3_000,
} as const

export interface StateCounts {
  /** The clients in the member's state vector. */
  readonly entries: number
  /** What it lacks. */
  readonly missingBytes: number
  /** All of the text. */
  readonly textBytes: number
}

/** Somebody who has nothing yet gets the stored bytes as they are, whoever else lacks something gets what is encoded for them. */
export function stateUnits({ entries, missingBytes, textBytes }: StateCounts): number {
  const sending = PRICES.answer + missingBytes * PRICES.sentByte
  if (entries === 0) return sending
  return (
    sending +
    entries * PRICES.entry +
    textBytes * PRICES.walkedByte +
    missingBytes * (PRICES.encodedByte + UNITS.byte)
  )
}

/** A longer state vector is paid for before it is decoded: one of 1,500 clients has so many bytes. */
const FREE_VECTOR_BYTES = 16 * 1024

/**
 * What a join costs before there is a state: the caller's right is read twice, a room may be loaded, and a long state vector is held
 * until then, of which an entry has two bytes at least.
 */
export const joinUnits = (stateVectorBytes: number): number =>
  4 * PRICES.statement + (Math.max(0, stateVectorBytes - FREE_VECTOR_BYTES) / 2) * PRICES.entry

export const digestUnits = (textBytes: number): number => PRICES.answer + textBytes * PRICES.hashedByte

export const repeatUnits = (bytes: number): number => PRICES.answer + bytes * PRICES.sentByte

/** Who is here is sent to somebody who asks. */
export const presenceUnits = (bytes: number): number => bytes * (PRICES.encodedByte + PRICES.sentByte)

/** One window's presence is sent to everybody else in the room. */
export const broadcastPresenceUnits = (bytes: number, readers: number): number =>
  readers * (PRICES.reader + bytes * PRICES.sentByte)

/** Presence longer than this is paid for before it is read. A window sends some 600 bytes, a stock client at times what it has received. */
export const FREE_PRESENCE_BYTES = 8 * 1024

/** Its JSON is read: 40 ns a byte where it is all empty objects. */
export const readPresenceUnits = (bytes: number): number =>
  bytes > FREE_PRESENCE_BYTES ? PRICES.answer + bytes / 24 : 0

function storedTextUnits(bytes: number): number {
  return 10 * PRICES.statement + bytes * PRICES.encodedByte
}

/** What requests of the API cost beyond `PRICES.request`, once it is known what they do. */
export const apiUnits = {
  rows: (rows: number): number => rows * PRICES.row,
  /** A whole text is read, merged in a thread, and stored again. */
  storedText: storedTextUnits,
  /** Beside that, the thread decodes the text and builds its Y.Doc. */
  copy: (bytes: number): number => storedTextUnits(bytes) + 2 * bytes * UNITS.builtByte,
  /**
   * The same, and each block and letter is written in another format: 10 to 20 ms of a thread for a few letters, and with 100,000 another
   * 10 to 50 ms, or 300 to 500 as DOCX.
   */
  exported: (bytes: number, isDocx = false): number =>
    10_000 + storedTextUnits(bytes) + (isDocx ? 40 : 4) * bytes * UNITS.builtByte,
  /** Each has a row, and the storage is asked whether it has the bytes. */
  lookedForFiles: (files: number): number => 2 * files * PRICES.statement,
  /** Rights, rows and the disk, beside the bytes. */
  uploadedFile: (bytes: number): number => 10 * PRICES.statement + bytes * PRICES.uploadedByte,
  /** A file arrives on the disk, and a thread reads it. What its documents have is paid when that is known, as for a copy. */
  imported: (bytes: number): number => storedTextUnits(bytes) + bytes * PRICES.uploadedByte,
  /** What a zip or a DOCX inflates to: 128 MiB take half a second. */
  inflated: (bytes: number): number => bytes * PRICES.inflatedByte,
  sentFile: (bytes: number): number => 3 * PRICES.statement + bytes * PRICES.sentByte,
  /** Documents that have all words are sorted: with 10,000 documents of 2,000 words 1 to 3 ms a word that is in all of them. */
  search: (tokens: number, results: number): number => 1_000 + tokens * 1_000 + results * PRICES.statement,
  /** They are found by an index, and their rights with them. */
  backlinks: (results: number): number => 5 * PRICES.statement + results * PRICES.row,
  /** A term is looked for in a passage of 2,000 characters: 1 to 4 µs. */
  searchedPassages: (passages: number, terms: number): number => passages * terms * 4,
  /** A document is made or renamed: a room is loaded, edited and committed. */
  serverEdit: 15 * PRICES.statement,
  /** All folders of a person are read, and some are written. */
  folderChange: (folders: number): number => 6 * PRICES.statement + folders * PRICES.row,
  /** Each is a row, and all of the proposal are counted: 1 ms where it has 20,000. */
  decisions: (keys: number): number => 10 * PRICES.statement + keys * PRICES.row,
  /** A right is read, and a row is written in a transaction. */
  placement: 8 * PRICES.statement,
  /** The right of every member is read again. */
  recheck: (members: number): number => (5 + 2 * members) * PRICES.statement,
  /** A name or a colour is shown at once to everybody in every room where the person is: to a thousand people. */
  profile: 1_000 * PRICES.answer,
} as const
