/** Reads what the export has written as JSON. The text is checked by the schema later, as that of all formats. */
import type { JsonNode } from '../blocks/json-node.ts'
import { JSON_VERSION, type JsonThread } from '../export/write-json.ts'
import type { ExportedFile } from '../export/export-source.ts'
import { fileIdOf } from '../files/file-reference.ts'
import { MAX_FILES } from './import-limits.ts'
import { MAX_COMMENT_LENGTH, MAX_THREAD_MESSAGES, MAX_THREADS } from '../comments/stored-thread.ts'
import { MAX_QUOTE_LENGTH } from '../protocol/comments.ts'
import { fieldsOf, parseJson } from '../protocol/value-reader.ts'
import { importStrings } from '../strings/import.ts'
import type { ImportLosses } from './import-losses.ts'
import { ImportRefused } from './imported-document.ts'

export interface ReadJson {
  readonly title: string
  readonly blocks: readonly JsonNode[]
  readonly threads: readonly JsonThread[]
  /** Those that the text shows; their bytes are elsewhere. */
  readonly files: readonly JsonFile[]
}

export type JsonFile = Pick<ExportedFile, 'id' | 'name' | 'type'>

/** Whether a file begins as the export does. */
export const isOwnJson = (bytes: Uint8Array): boolean =>
  /^\uFEFF?\s*\{\s*"format"\s*:\s*"diptych"/.test(new TextDecoder().decode(bytes.subarray(0, 1_000)))

/** @throws {ImportRefused} */
export const readJson = (text: string, name: string, losses: ImportLosses): ReadJson =>
  readJsonValue(parseJson(text), name, losses)

/** @throws {ImportRefused} */
export function readJsonValue(value: unknown, name: string, losses: ImportLosses): ReadJson {
  const { format, version, title, text: root, comments, files } = fieldsOf(value)
  if (format !== 'diptych' || typeof version !== 'number')
    throw new ImportRefused(importStrings.refused.otherJson(name))
  if (version > JSON_VERSION) throw new ImportRefused(importStrings.refused.newerJson(name))
  const { content } = fieldsOf(root)
  if (!Array.isArray(content)) throw new ImportRefused(importStrings.refused.otherJson(name))
  return {
    title: typeof title === 'string' ? title : '',
    blocks: content as JsonNode[],
    threads: readThreads(Array.isArray(comments) ? (comments as unknown[]) : [], losses),
    files: readFiles(files),
  }
}

/** Those that a document may have; the others are counted. */
export function readThreads(stored: readonly unknown[], losses: ImportLosses): JsonThread[] {
  const threads = stored.slice(0, MAX_THREADS).flatMap((thread) => readThread(thread, losses) ?? [])
  losses.count('comment', stored.length - threads.length)
  return threads
}

function readFiles(value: unknown): JsonFile[] {
  const list = Array.isArray(value) ? (value as unknown[]).slice(0, MAX_FILES) : []
  return list.flatMap((one) => {
    const { id, name, type } = fieldsOf(one)
    const file = fileIdOf({ file: id })
    return file === '' ? [] : [{ id: file, name: textOf(name, 1_000), type: textOf(type, 200) }]
  })
}

/** Null for what is none. */
function readThread(value: unknown, losses: ImportLosses): JsonThread | null {
  const { id, range, quote, messages, resolved } = fieldsOf(value)
  const list = Array.isArray(messages) ? (messages as unknown[]) : []
  const read = list.slice(0, MAX_THREAD_MESSAGES).flatMap((message) => readMessage(message) ?? [])
  if (read.length === 0) return null
  losses.count('comment', list.length - read.length)
  const { by, at } = fieldsOf(resolved)
  return {
    id: textOf(id, 64),
    range: readRange(range),
    quote: textOf(quote, MAX_QUOTE_LENGTH),
    messages: read,
    ...(isTime(at) && { resolved: { by: textOf(by, 80), at } }),
  }
}

function readMessage(value: unknown): JsonThread['messages'][number] | null {
  const { id, author, at, editedAt, text } = fieldsOf(value)
  const words = textOf(text, MAX_COMMENT_LENGTH)
  if (words === '' || !isTime(at)) return null
  return {
    id: textOf(id, 64),
    author: textOf(author, 80),
    at,
    ...(isTime(editedAt) && { editedAt }),
    text: words,
  }
}

function readRange(value: unknown): JsonThread['range'] {
  const { from, to } = fieldsOf(value)
  const [start, end] = [readPlace(from), readPlace(to)]
  return start && end ? { from: start, to: end } : null
}

function readPlace(value: unknown) {
  const { line, offset } = fieldsOf(value)
  return isIndex(line) && isIndex(offset) ? { line, offset } : null
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 30 && !Number.isNaN(Date.parse(value))

const textOf = (value: unknown, limit: number): string =>
  typeof value === 'string' ? value.slice(0, limit).toWellFormed() : ''
