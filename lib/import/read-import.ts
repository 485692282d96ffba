/** Reads a file of another program: what it becomes, and what that could not hold. */
import type { Root } from 'mdast'
import { fileCard } from '../blocks/file-card/file-card.ts'
import type { JsonNode } from '../blocks/json-node.ts'
import { picture } from '../blocks/picture/picture.ts'
import { folderPathsOf } from '../export/write-entries.ts'
import { cleanFileName } from '../files/file-reference.ts'
import { importStrings } from '../strings/import.ts'
import { decodeText } from './decode-text.ts'
import { fitToSchema } from './fit-to-schema.ts'
import { importFormatOf, titleOfName } from './import-formats.ts'
import { MAX_JSON_LETTERS, MAX_MARKUP_LETTERS, MAX_PAGE_LETTERS, MAX_TITLE_LETTERS } from './import-limits.ts'
import { ImportLosses } from './import-losses.ts'
import { ImportPictures } from './import-pictures.ts'
import {
  type ImportedDocument,
  type ImportedFile,
  ImportRefused,
  type ImportSource,
} from './imported-document.ts'
import { paragraphOf } from './json-letters.ts'
import { type FindFile, placeFiles, resolveReferences, settleAddresses } from './place-files.ts'
import { Archive, type ArchivedDocument } from './read-archive.ts'
import { readCsv } from './read-csv.ts'
import { readDocx } from './read-docx.ts'
import { readHtml } from './read-html.ts'
import { type JsonFile, readJson } from './read-json.ts'
import { readMarkdown } from './read-markdown.ts'
import { newZipBudget, type ZipBudget } from './read-zip.ts'
import { placeComments, withoutMarks } from './word-comments.ts'

export interface Import {
  readonly documents: readonly ImportedDocument[]
  /** Sentences. */
  readonly losses: readonly string[]
}

/** @throws {ImportRefused} */
export async function readImport(source: ImportSource, budget = newZipBudget()): Promise<Import> {
  const reader = new ImportReader(budget)
  const documents = await reader.read(source)
  return { documents, losses: reader.losses.sentences() }
}

class ImportReader {
  readonly losses = new ImportLosses()
  readonly #budget: ZipBudget

  constructor(budget: ZipBudget) {
    this.#budget = budget
  }

  async read(source: ImportSource): Promise<ImportedDocument[]> {
    if (importFormatOf(source) !== 'zip') return [await this.#readDocument(source, () => null)]
    const archive = new Archive(source, this.#budget)
    const documents: ImportedDocument[] = []
    const refusals: ImportRefused[] = []
    for (const one of archive.documents) {
      const refusal = await this.#readArchived(one, documents)
      if (refusal) refusals.push(refusal)
    }
    if (documents.length === 0) throw refusals[0]!
    for (const { message } of refusals) this.losses.addRefusal(message)
    archive.countUnused(this.losses)
    return documents
  }

  /** What refuses one document of a zip is returned, and does not refuse the others. @throws {ImportRefused} of the zip as a whole. */
  async #readArchived(one: ArchivedDocument, documents: ImportedDocument[]): Promise<ImportRefused | null> {
    try {
      documents.push(await this.#readDocument(one.read(), one.findFile))
      return null
    } catch (error) {
      const isSpent = Math.min(this.#budget.bytes, this.#budget.entries) < 0
      if (error instanceof ImportRefused) {
        if (isSpent) throw error
        return error
      }
      // What a parser of another program's format throws.
      return new ImportRefused(importStrings.refused.tooHard(one.name), { cause: error })
    }
  }

  async #readDocument(source: ImportSource, findFile: FindFile): Promise<ImportedDocument> {
    const document = await this.#readFormat(source, findFile)
    const fitted = fitToSchema(document.blocks, source.name, this.losses)
    const { blocks, threads } =
      importFormatOf(source) === 'docx' && document.threads.length > 0
        ? placeComments(fitted, document.threads)
        : { blocks: fitted, threads: document.threads }
    const present = new Set(document.files.map(({ id }) => id))
    this.losses.count('missingFile', countMissingFiles(blocks, present))
    return {
      ...document,
      title: tidyTitle(withoutMarks(document.title) || titleOfName(source.name)),
      blocks,
      threads,
    }
  }

  async #readFormat(source: ImportSource, findFile: FindFile): Promise<ImportedDocument> {
    const { losses } = this
    const { name } = source
    const pictures = new ImportPictures()
    const parts = { title: '', threads: [] }
    switch (importFormatOf(source)) {
      case 'markdown': {
        const place = (root: Root) => {
          resolveReferences(root)
          placeFiles(root, pictures, findFile)
          settleAddresses(root, losses)
        }
        return {
          ...parts,
          ...readMarkdown(decodeText(source, MAX_MARKUP_LETTERS), name, losses, place),
          files: pictures.files,
        }
      }
      case 'html': {
        const read = readHtml({
          html: decodeText(source, MAX_PAGE_LETTERS),
          name,
          losses,
          pictures,
          findFile,
        })
        return { ...parts, ...read, files: pictures.files }
      }
      case 'docx': {
        const word = await readDocx(source, losses, this.#budget)
        if ('own' in word) return word.own
        const findPicture = (address: string) => word.pictures.get(address) ?? null
        const read = readHtml({ html: word.html, name, losses, pictures, findFile: findPicture })
        return { ...parts, ...read, files: pictures.files, threads: word.threads }
      }
      case 'text':
        return { ...parts, blocks: readLines(decodeText(source)), files: [] }
      case 'csv':
        return { ...parts, blocks: readCsv(decodeText(source), losses), files: [] }
      case 'json': {
        const read = readJson(decodeText(source, MAX_JSON_LETTERS), name, losses)
        return { ...read, files: filesBeside(read.files, findFile) }
      }
      case 'zip':
      case null:
        throw new ImportRefused(importStrings.refused.format(name))
    }
  }
}

/** In a zip of this program, a document has its files beside it. */
function filesBeside(named: readonly JsonFile[], findFile: FindFile): ImportedFile[] {
  const paths = folderPathsOf(named)
  return named.flatMap(({ id, name }) => {
    const taken = findFile(encodeURI(paths.get(id)!).replaceAll('#', '%23').replaceAll('?', '%3F'))
    return taken ? [{ id, name: cleanFileName(name), bytes: taken.bytes }] : []
  })
}

const tidyTitle = (title: string): string =>
  title.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LETTERS).toWellFormed()

/** A paragraph each, as the export writes them: an empty line is an empty paragraph. */
const readLines = (text: string): JsonNode[] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => paragraphOf(line.trim() === '' ? '' : line))

function countMissingFiles(blocks: readonly JsonNode[], present: ReadonlySet<unknown>): number {
  return blocks.reduce((sum, { type, attrs, content = [] }) => {
    const showsFile = type === picture.name || type === fileCard.name
    const isMissing = showsFile && !present.has(attrs?.['file'])
    return sum + (isMissing ? 1 : 0) + countMissingFiles(content, present)
  }, 0)
}
