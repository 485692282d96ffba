/**
 * Handles files that are dropped on the text or pasted. Text and Markdown are inserted, others are refused with a sentence. Knows files;
 * does not know what Markdown means.
 */
import type { EditorView } from '@tiptap/pm/view'
import { toast } from '@/components/ui/toast.ts'
import { type PasteLosses, pasteLossSentence } from './paste-losses.ts'
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

/** Returns null if the file can be inserted. */
export function fileProblem(file: FileNameAndType & Pick<File, 'size'>): string | null {
  if (fileKindOf(file) === 'other') return strings.files.otherType(file.name)
  return file.size > MAX_FILE_BYTES ? strings.files.tooLarge(file.name, MAX_FILE_BYTES / 1024) : null
}

const showFilesToast = (sentence: string): void => toast(sentence, { id: 'files' })

/** Images from the clipboard have no name that a person chose. */
export function pasteFiles(view: EditorView, files: readonly File[], insert: InsertFiles): void {
  const images = files.filter(({ type }) => type.startsWith('image/'))
  const lost: PasteLosses = { image: images.length }
  const sentence = pasteLossSentence(lost)
  if (sentence) showFilesToast(sentence)
  else void insertFiles(view, files, insert)
}

export async function insertFiles(
  view: EditorView,
  files: readonly File[],
  insert: InsertFiles,
): Promise<void> {
  const problems = files.flatMap((file) => fileProblem(file) ?? [])
  const [problem] = problems
  if (problem)
    showFilesToast(
      problems.length === 1 ? problem : `${problem} ${strings.files.moreProblems(problems.length - 1)}`,
    )
  const accepted = files.filter((file) => fileProblem(file) === null)
  const contents = await Promise.all(accepted.map(readText))
  const textFiles = contents.filter((text) => text !== null)
  if (textFiles.length > 0 && !view.isDestroyed && view.editable) await insert(view, textFiles)
}

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
