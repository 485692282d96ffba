/** Reads a file of another program: what it becomes, and what that could not hold. */
import { fileCard } from '../blocks/file-card/file-card.ts'
import type { JsonNode } from '../blocks/json-node.ts'
import { picture } from '../blocks/picture/picture.ts'
import { strings } from '../strings/import.ts'
import { decodeText } from './decode-text.ts'
import { fitToSchema } from './fit-to-schema.ts'
import { importFormatOf, titleOfName } from './import-formats.ts'
import { MAX_JSON_LETTERS, MAX_TITLE_LETTERS } from './import-limits.ts'
import { ImportLosses } from './import-losses.ts'
import { type ImportedDocument, ImportRefused, type ImportSource } from './imported-document.ts'
import { paragraphOf } from './json-letters.ts'
import { readCsv } from './read-csv.ts'
import { readJson } from './read-json.ts'
import { readMarkdown } from './read-markdown.ts'

export interface Import {
  readonly documents: readonly ImportedDocument[]
  /** Sentences. */
  readonly losses: readonly string[]
}

/** @throws {ImportRefused} */
export function readImport(source: ImportSource): Import {
  const losses = new ImportLosses()
  const document = readDocument(source, losses)
  const blocks = fitToSchema(document.blocks, source.name, losses)
  losses.count('missingFile', countMissingFiles(blocks, new Set(document.files.map(({ id }) => id))))
  return {
    documents: [{ ...document, title: tidyTitle(document.title || titleOfName(source.name)), blocks }],
    losses: losses.sentences(),
  }
}

const tidyTitle = (title: string): string =>
  title.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LETTERS).toWellFormed()

function readDocument(source: ImportSource, losses: ImportLosses): ImportedDocument {
  const parts = { title: '', threads: [], files: [] }
  const { name } = source
  switch (importFormatOf(source)) {
    case 'markdown':
      return { ...parts, ...readMarkdown(decodeText(source), losses) }
    case 'text':
      return { ...parts, blocks: readLines(decodeText(source)) }
    case 'csv':
      return { ...parts, blocks: readCsv(decodeText(source), losses) }
    case 'json':
      return { ...parts, ...readJson(decodeText(source, MAX_JSON_LETTERS), name, losses) }
    case null:
      throw new ImportRefused(strings.refused.format(name))
  }
}

/** A paragraph each, as where text is pasted. */
const readLines = (text: string): JsonNode[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(paragraphOf)

function countMissingFiles(blocks: readonly JsonNode[], present: ReadonlySet<unknown>): number {
  return blocks.reduce((sum, { type, attrs, content = [] }) => {
    const showsFile = type === picture.name || type === fileCard.name
    const isMissing = showsFile && !present.has(attrs?.['file'])
    return sum + (isMissing ? 1 : 0) + countMissingFiles(content, present)
  }, 0)
}
