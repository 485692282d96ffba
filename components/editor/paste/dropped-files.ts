/**
 * Handles files that are dropped on the text or pasted. Text and Markdown are inserted; pictures and other files are put on this
 * device and shown. Knows files; does not know what Markdown means.
 */
import type { EditorView } from '@tiptap/pm/view'
import type { JsonNode } from '@/lib/blocks/json-node.ts'
import { toast } from '@/components/ui/toast.ts'
import { textBindingOf } from '../binding/text-binding.ts'
import { documentIdOf } from '../open-documents.ts'
import { insertBlocks } from './insert-blocks.ts'
import { pasteLossSentence } from './paste-losses.ts'
import { fileProblem, headerOf, pictureProblem, storeFile, storePicture } from './store-file.ts'
import { strings } from '@/lib/strings/inserted-text.ts'

/** In bytes: what can be inserted in one step without a noticeable wait. A book has ten times as many. */
const MAX_FILE_BYTES = 256 * 1024

export interface TextFile {
  readonly text: string
  readonly isMarkdown: boolean
}

type InsertFiles = (view: EditorView, files: readonly TextFile[]) => Promise<void>

type FileNameAndType = Pick<File, 'name' | 'type'>

/** Uses the file name if the system does not know the type; most systems do not know Markdown's. */
export function fileKindOf({ name, type }: FileNameAndType): 'text' | 'markdown' | 'other' {
  if (type === 'text/markdown' || /\.(?:md|markdown)$/i.test(name)) return 'markdown'
  return type === 'text/plain' || (type === '' && /\.(?:txt|text)$/i.test(name)) ? 'text' : 'other'
}

/** Returns null for a text that can be inserted. */
export const textProblem = ({ name, size }: Pick<File, 'name' | 'size'>): string | null =>
  size > MAX_FILE_BYTES ? strings.files.tooLarge(name, MAX_FILE_BYTES / 1024) : null

const showFilesToast = (sentence: string): void => toast(sentence, { id: 'files' })

function showProblems(problems: readonly string[]): void {
  const [problem] = problems
  if (!problem) return
  const more = problems.length - 1
  showFilesToast(more === 0 ? problem : `${problem} ${strings.files.moreProblems(more)}`)
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
): Promise<void> {
  const texts = files.filter((file) => fileKindOf(file) !== 'other')
  const others = files.filter((file) => fileKindOf(file) === 'other')
  const problems = texts.flatMap((file) => textProblem(file) ?? [])
  const accepted = texts.filter((file) => textProblem(file) === null)
  const contents = await Promise.all(accepted.map(readText))
  const textFiles = contents.filter((text) => text !== null)
  const stored = await storeFiles(view, others)
  showProblems([...problems, ...stored.problems])
  if (view.isDestroyed || !view.editable) return
  if (textFiles.length > 0) await insert(view, textFiles)
  if (stored.blocks.length > 0 && !view.isDestroyed) insertBlocks(view, stored.blocks)
}

interface StoredFiles {
  readonly blocks: readonly JsonNode[]
  readonly problems: readonly string[]
}

/** One after the other: each may be as large as the memory of a phone allows. */
async function storeFiles(view: EditorView, files: readonly File[]): Promise<StoredFiles> {
  const document = documentOf(view)
  const [blocks, problems]: [JsonNode[], string[]] = [[], []]
  for (const bytes of files) {
    const { name } = bytes
    try {
      const header = await headerOf({ name, bytes })
      const problem = header ? pictureProblem({ name, bytes }, header) : fileProblem({ name, bytes })
      if (problem !== null) problems.push(problem)
      else {
        const { block, whenStored } = header
          ? storePicture({ name, bytes }, header, document)
          : storeFile({ name, bytes }, document)
        await whenStored
        blocks.push(block)
      }
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  return { blocks, problems }
}

export const documentOf = (view: EditorView): string => documentIdOf(textBindingOf(view.state)?.text.doc)

/** Returns null, and shows a sentence, if the content is no text after all. */
async function readText(file: File): Promise<TextFile | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return { text, isMarkdown: fileKindOf(file) === 'markdown' }
  } catch {
    showFilesToast(strings.files.unreadable(file.name))
    return null
  }
}
