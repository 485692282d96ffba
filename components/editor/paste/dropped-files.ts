/**
 * Handles files that are dropped on the text or pasted. Text and Markdown are inserted; pictures and other files are put on this
 * device and shown. Knows files; does not know what Markdown means.
 */
import type { EditorView } from '@tiptap/pm/view'
import type { JsonNode } from '@/lib/blocks/json-node.ts'
import { toast } from '@/components/ui/toast.ts'
import { textBindingOf } from '@/components/binding/text-binding.ts'
import { documentIdOf } from '@/components/open-documents.ts'
import { insertBlocks } from './insert-blocks.ts'
import { InsertionPlace } from './insertion-place.ts'
import { pasteLossSentence } from './paste-losses.ts'
import { preparePicture } from './prepare-picture.ts'
import { roomProblem } from './room-problem.ts'
import { fileProblem, headerOf, isHeic, pictureProblem, storeFile, storePicture } from './store-file.ts'
import { insertedTextStrings } from '@/lib/strings/inserted-text.ts'

/** In bytes: what can be inserted in one step without a noticeable wait. A book has ten times as many. */
const MAX_FILE_BYTES = 256 * 1024

export interface TextFile {
  readonly text: string
  readonly isMarkdown: boolean
}

type InsertFiles = (view: EditorView, files: readonly TextFile[]) => Promise<void>

export interface InsertOptions {
  /** Inserts each byte of a picture as it is: also more pixels than a screen shows, and what a camera wrote beside them. */
  readonly isOriginal?: boolean
  /** Texts become files as well, instead of their letters. */
  readonly isAttached?: boolean
}

type FileNameAndType = Pick<File, 'name' | 'type'>

/** Uses the file name if the system does not know the type; most systems do not know Markdown's. */
export function fileKindOf({ name, type }: FileNameAndType): 'text' | 'markdown' | 'other' {
  if (type === 'text/markdown' || /\.(?:md|markdown)$/i.test(name)) return 'markdown'
  return type === 'text/plain' || (type === '' && /\.(?:txt|text)$/i.test(name)) ? 'text' : 'other'
}

/** Returns null for a text that can be inserted. */
export const textProblem = ({ name, size }: Pick<File, 'name' | 'size'>): string | null =>
  size > MAX_FILE_BYTES ? insertedTextStrings.files.tooLarge(name, MAX_FILE_BYTES / 1024) : null

const showFilesToast = (sentence: string): void => toast(sentence, { id: 'files' })

/** @param notes Sentences on files that were inserted, and perhaps not as they were meant. */
function showProblems(problems: readonly string[], notes: readonly string[]): void {
  const [problem] = problems
  if (!problem) return void (notes[0] && showFilesToast(notes[0]))
  const more = problems.length - 1
  showFilesToast(more === 0 ? problem : `${problem} ${insertedTextStrings.files.moreProblems(more)}`)
}

/** Images from the clipboard have no name that a person chose. */
export async function pasteFiles(
  view: EditorView,
  files: readonly File[],
  insert: InsertFiles,
): Promise<void> {
  const images = files.filter(({ type }) => type.startsWith('image/'))
  const headers = await Promise.all(images.map((bytes) => headerOf({ name: '', bytes })))
  const sentence = pasteLossSentence({ image: headers.filter((header) => header === null).length })
  if (sentence) showFilesToast(sentence)
  else await insertFiles(view, files, insert)
}

export async function insertFiles(
  view: EditorView,
  files: readonly File[],
  insert: InsertFiles,
  options: InsertOptions = {},
): Promise<void> {
  const place = new InsertionPlace(view)
  const texts = options.isAttached ? [] : files.filter((file) => fileKindOf(file) !== 'other')
  const others = files.filter((file) => !texts.includes(file))
  const problems = texts.flatMap((file) => textProblem(file) ?? [])
  const accepted = texts.filter((file) => textProblem(file) === null)
  const contents = await Promise.all(accepted.map(readText))
  const textFiles = contents.filter((text) => text !== null)
  const stored = await storeFiles(view, others, options)
  if (view.isDestroyed || !view.editable) return showProblems(files.map(notEditableProblem), [])
  showProblems([...problems, ...stored.problems], stored.notes)
  const selection = place.take()
  if (textFiles.length === 0)
    return void (stored.blocks.length > 0 && insertBlocks(view, stored.blocks, selection))
  view.dispatch(view.state.tr.setSelection(selection))
  await insert(view, textFiles)
  if (stored.blocks.length > 0 && !view.isDestroyed) insertBlocks(view, stored.blocks)
}

const notEditableProblem = ({ name }: File): string => insertedTextStrings.files.notEditable(name)

interface StoredFiles {
  readonly blocks: readonly JsonNode[]
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

/** One after the other: each may be as large as the memory of a phone allows. */
async function storeFiles(
  view: EditorView,
  files: readonly File[],
  options: InsertOptions,
): Promise<StoredFiles> {
  const document = documentOf(view)
  const [blocks, problems, notes]: [JsonNode[], string[], string[]] = [[], [], []]
  for (const file of files) {
    if (view.isDestroyed) break
    try {
      const { block, note } = await storeOne(file, document, options)
      blocks.push(block)
      if (note !== undefined) notes.push(note)
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  return { blocks, problems, notes }
}

/** @throws {Error} With a sentence for a person. */
async function storeOne(
  bytes: File,
  document: string,
  { isOriginal = false }: InsertOptions,
): Promise<{ readonly block: JsonNode; readonly note?: string }> {
  const { name } = bytes
  const header = await headerOf({ name, bytes })
  // The server's limit, which may be lower, is the one to name.
  if (!header) throwProblem((await roomProblem({ name, bytes }, document)) ?? fileProblem({ name, bytes }))
  else throwProblem(pictureProblem({ name, bytes }, header))
  const prepared = header && (isOriginal ? { bytes, header } : await preparePicture(bytes, header))
  if (header && !prepared) throw new Error(insertedTextStrings.files.damaged(name))
  if (prepared) throwProblem(await roomProblem({ name, bytes: prepared.bytes }, document))
  const { block, whenStored } = prepared
    ? storePicture({ name, bytes: prepared.bytes }, prepared.header, document)
    : storeFile({ name, bytes }, document)
  await whenStored
  return { block, ...(!header && (await isHeic(bytes)) && { note: insertedTextStrings.files.heic(name) }) }
}

function throwProblem(sentence: string | null): void {
  if (sentence !== null) throw new Error(sentence)
}

export const documentOf = (view: EditorView): string => documentIdOf(textBindingOf(view.state)?.text.doc)

/** Returns null, and shows a sentence, if the content is no text after all. */
async function readText(file: File): Promise<TextFile | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return { text, isMarkdown: fileKindOf(file) === 'markdown' }
  } catch {
    showFilesToast(insertedTextStrings.files.unreadable(file.name))
    return null
  }
}
