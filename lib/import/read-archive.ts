/**
 * Reads a zip of documents with the files that they name, as Notion and this program export them. A name in a zip is compared with others
 * and is never a path of a disk.
 */
import { exportStrings } from '../strings/export.ts'
import { importStrings } from '../strings/import.ts'
import { importFormatOf } from './import-formats.ts'
import { MAX_DOCUMENTS, MAX_ZIP_DEPTH } from './import-limits.ts'
import type { ImportLosses } from './import-losses.ts'
import type { TakenFile } from './import-pictures.ts'
import { ImportRefused, type ImportSource } from './imported-document.ts'
import { isOwnJson } from './read-json.ts'
import { isZip, readZip, type ZipBudget, type ZipEntry } from './read-zip.ts'

export interface ArchivedDocument {
  /** Its path in the zip. */
  readonly name: string
  /** @throws {ImportRefused} */
  read(): ImportSource
  /** The file at an address that the document names, relative to itself; null where there is none. */
  findFile(address: string): TakenFile | null
}

/** An entry at a path that no other one has. */
interface PlacedEntry {
  readonly path: string
  /** Its path in its own zip, from which the addresses in it lead. */
  readonly ownPath: string
  /** The entries of its own zip, by their paths in it. */
  readonly siblings: ReadonlyMap<string, PlacedEntry>
  /** Inflates it once, however often it is named. @throws {ImportRefused} */
  read(): Uint8Array<ArrayBuffer>
}

export class Archive {
  readonly documents: readonly ArchivedDocument[]
  readonly #entries = new Map<string, PlacedEntry>()
  readonly #counts = new Map<string, number>()
  readonly #files = new Map<PlacedEntry, TakenFile>()
  readonly #used = new Set<PlacedEntry>()
  readonly #name: string
  readonly #budget: ZipBudget

  /** @throws {ImportRefused} */
  constructor({ name, bytes }: ImportSource, budget: ZipBudget) {
    this.#name = name
    this.#budget = budget
    this.#addZip(bytes, '', 1)
    const all = [...this.#entries.values()].filter(({ path }) => isDocument(path))
    const chosen = all.filter((entry) => !isWrittenTwice(entry))
    if (chosen.length === 0) throw new ImportRefused(importStrings.refused.nothingInside(name))
    if (chosen.length > MAX_DOCUMENTS)
      throw new ImportRefused(importStrings.refused.tooManyDocuments(name, MAX_DOCUMENTS))
    for (const entry of all) this.#used.add(entry)
    this.documents = chosen.map((entry) => ({
      name: entry.path,
      read: () => ({ name: entry.path, type: '', bytes: entry.read() }),
      findFile: (address) => this.#find(entry, address),
    }))
  }

  /** Entries of a zip within the zip stand beside it, as Notion splits its exports. */
  #addZip(bytes: Uint8Array, folder: string, depth: number): void {
    const siblings = new Map<string, PlacedEntry>()
    for (const entry of readZip(bytes, this.#name, this.#budget)) {
      if (isOfSystem(entry.name)) continue
      const inner = /\.zip$/i.test(entry.name) && depth < MAX_ZIP_DEPTH ? entry.read() : null
      if (inner && isZip(inner)) this.#addZip(inner, entry.name.replace(/\.zip$/i, ''), depth + 1)
      else this.#addEntry(entry, folder, siblings)
    }
  }

  #addEntry(entry: ZipEntry, folder: string, siblings: Map<string, PlacedEntry>): void {
    const ownPath = normalPath(entry.name)
    const path = this.#freePath(ownPath, folder)
    let bytes: Uint8Array<ArrayBuffer> | undefined
    const placed = { path, ownPath, siblings, read: () => (bytes ??= entry.read()) }
    this.#entries.set(path, placed)
    siblings.set(ownPath, placed)
  }

  /** Where two zips within the zip have the same path, the second one's is under the name of its zip. */
  #freePath(path: string, folder: string): string {
    if (!this.#entries.has(path)) return path
    let free = normalPath(`${folder}/${path}`)
    while (this.#entries.has(free)) {
      const count = (this.#counts.get(path) ?? 1) + 1
      this.#counts.set(path, count)
      free = normalPath(`${folder}/${path.replace(/(?=\.[^./]*$)|$/, ` (${count})`)}`)
    }
    return free
  }

  #find({ ownPath, siblings }: PlacedEntry, address: string): TakenFile | null {
    const path = pathOfAddress(ownPath, address)
    const entry =
      path === null || isDocument(path) ? undefined : (siblings.get(path) ?? this.#entries.get(path))
    if (!entry) return null
    this.#used.add(entry)
    const file = this.#files.get(entry) ?? { name: path!.replace(/^.*\//, ''), bytes: entry.read() }
    this.#files.set(entry, file)
    return file
  }

  countUnused(losses: ImportLosses): void {
    losses.count('unusedFile', this.#entries.size - this.#used.size)
  }
}

/** What macOS and Windows add to folders. */
const isOfSystem = (name: string): boolean =>
  /(?:^|\/)(?:__MACOSX\/|\.(?!\.?\/)|Thumbs\.db$|desktop\.ini$)/i.test(name)

const isDocument = (path: string): boolean => {
  const format = importFormatOf({ name: path, type: '', bytes: new Uint8Array() })
  return format !== null && format !== 'zip'
}

/** A zip of this program has each document as Markdown and as JSON, which is without a loss; Notion has a table of its pages twice. */
function isWrittenTwice({ ownPath, siblings }: PlacedEntry): boolean {
  // What an export could not write is in no other one.
  if (ownPath === exportStrings.leftOut.file)
    return [...siblings.values()].some((one) => /\.json$/i.test(one.ownPath) && isOwnJson(one.read()))
  if (/\.csv$/i.test(ownPath)) return siblings.has(ownPath.replace(/\.csv$/i, '_all.csv'))
  const json = /\.md$/i.test(ownPath) ? siblings.get(ownPath.replace(/\.md$/i, '.json')) : undefined
  return json !== undefined && isOwnJson(json.read())
}

/** Without steps to where it is or above. */
function normalPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/'))
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  return parts.join('/')
}

/** Null for an address outside of the zip. */
function pathOfAddress(document: string, address: string): string | null {
  const [path] = address.split(/[?#]/, 1)
  if (!path || /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(path)) return null
  return normalPath(`${document.replace(/[^/]*$/, '')}${decodePath(path)}`)
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
