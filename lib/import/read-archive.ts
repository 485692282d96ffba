/**
 * Reads a zip of documents with the files that they name, as Notion and this program export them. A name in a zip is compared with others
 * and is never a path of a disk.
 */
import { strings } from '../strings/import.ts'
import { importFormatOf } from './import-formats.ts'
import { MAX_DOCUMENTS, MAX_ZIP_DEPTH } from './import-limits.ts'
import type { ImportLosses } from './import-losses.ts'
import type { TakenFile } from './import-pictures.ts'
import { ImportRefused, type ImportSource } from './imported-document.ts'
import { isZip, readZip, type ZipBudget, type ZipEntry } from './read-zip.ts'

export interface ArchivedDocument {
  readonly source: ImportSource
  /** The file at an address that the document names, relative to itself; null where there is none. */
  findFile(address: string): TakenFile | null
}

export class Archive {
  readonly documents: readonly ArchivedDocument[]
  readonly #files = new Map<string, ZipEntry>()
  readonly #used = new Set<string>()

  /** @throws {ImportRefused} */
  constructor({ name, bytes }: ImportSource, budget: ZipBudget) {
    const entries = allEntries(bytes, name, budget, 1)
    for (const entry of entries) this.#files.set(normalPath(entry.name), entry)
    const paths = [...this.#files.keys()].filter(isDocument)
    const chosen = paths.filter((path) => !isWrittenTwice(path, this.#files))
    if (chosen.length === 0) throw new ImportRefused(strings.refused.nothingInside(name))
    if (chosen.length > MAX_DOCUMENTS)
      throw new ImportRefused(strings.refused.tooManyDocuments(name, MAX_DOCUMENTS))
    for (const path of paths) this.#used.add(path)
    this.documents = chosen.map((path) => ({
      source: { name: path, type: '', bytes: this.#files.get(path)!.read() },
      findFile: (address) => this.#find(path, address),
    }))
  }

  #find(document: string, address: string): TakenFile | null {
    const path = pathOfAddress(document, address)
    const entry = path === null || isDocument(path) ? undefined : this.#files.get(path)
    if (!entry) return null
    this.#used.add(path!)
    return { name: path!.replace(/^.*\//, ''), bytes: entry.read() }
  }

  countUnused(losses: ImportLosses): void {
    losses.count('unusedFile', [...this.#files.keys()].filter((path) => !this.#used.has(path)).length)
  }
}

/** Those of zips within the zip, too, as if they stood beside it. */
function allEntries(bytes: Uint8Array, name: string, budget: ZipBudget, depth: number): ZipEntry[] {
  return readZip(bytes, name, budget).flatMap((entry) => {
    if (isOfSystem(entry.name)) return []
    if (!/\.zip$/i.test(entry.name)) return [entry]
    if (depth >= MAX_ZIP_DEPTH) return [entry]
    const inner = entry.read()
    return isZip(inner) ? allEntries(inner, name, budget, depth + 1) : [entry]
  })
}

/** What macOS and Windows add to folders. */
const isOfSystem = (name: string): boolean =>
  /(?:^|\/)(?:__MACOSX\/|\.(?!\.?\/)|Thumbs\.db$|desktop\.ini$)/i.test(name)

const isDocument = (path: string): boolean => {
  const format = importFormatOf({ name: path, type: '', bytes: new Uint8Array() })
  return format !== null && format !== 'zip'
}

/** A zip of this program has each document as Markdown and as JSON, which is without a loss; Notion has a table of its pages twice. */
const isWrittenTwice = (path: string, files: ReadonlyMap<string, unknown>): boolean =>
  (/\.md$/i.test(path) && files.has(path.replace(/\.md$/i, '.json'))) ||
  (/\.csv$/i.test(path) && files.has(path.replace(/\.csv$/i, '_all.csv')))

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
