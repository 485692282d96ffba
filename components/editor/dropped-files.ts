/**
 * Files that are dropped on the page or pasted. Text and Markdown are inserted, others are refused with a sentence; the page stays where
 * it is, whatever is dropped and wherever. Knows files and where they fall; does not know what Markdown means.
 */
import { Selection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { toast } from '@/components/ui/toast'
import { type LostParts, lostSentence } from './lost-parts'
import { strings } from '@/lib/strings/editor.ts'

/** Bytes. As many as are inserted in one step without keeping anybody waiting; a book has ten times as many. */
const MAX_FILE_BYTES = 256 * 1024

export interface TextFile {
  readonly text: string
  readonly isMarkdown: boolean
}

type Insert = (view: EditorView, files: readonly TextFile[]) => Promise<void>

type FileFacts = Pick<File, 'name' | 'type'>

/** By its name where the system does not know its type, as most do not know Markdown's. */
export function kindOf({ name, type }: FileFacts): 'text' | 'markdown' | 'other' {
  if (type === 'text/markdown' || /\.(?:md|markdown)$/i.test(name)) return 'markdown'
  return type === 'text/plain' || (type === '' && /\.(?:txt|text)$/i.test(name)) ? 'text' : 'other'
}

/** Null where it can be inserted. */
export function fileProblem(file: FileFacts & Pick<File, 'size'>): string | null {
  if (kindOf(file) === 'other') return strings.files.otherType(file.name)
  return file.size > MAX_FILE_BYTES ? strings.files.tooLarge(file.name, MAX_FILE_BYTES / 1024) : null
}

const say = (sentence: string): void => toast(sentence, { id: 'files' })

/** Pictures of the clipboard have no name that anybody has chosen. */
export function pasteFiles(view: EditorView, files: readonly File[], insert: Insert): void {
  const images = files.filter(({ type }) => type.startsWith('image/'))
  const lost: LostParts = { image: images.length }
  const sentence = lostSentence(lost)
  if (sentence) say(sentence)
  else void insertFiles(view, files, insert)
}

async function insertFiles(view: EditorView, files: readonly File[], insert: Insert): Promise<void> {
  const problems = files.flatMap((file) => fileProblem(file) ?? [])
  const [problem] = problems
  if (problem)
    say(problems.length === 1 ? problem : `${problem} ${strings.files.moreProblems(problems.length - 1)}`)
  const good = files.filter((file) => fileProblem(file) === null)
  const read = await Promise.all(good.map(readText))
  const texts = read.filter((text) => text !== null)
  if (texts.length > 0 && !view.isDestroyed && view.editable) await insert(view, texts)
}

/** Null, and a sentence, for what is no text after all. */
async function readText(file: File): Promise<TextFile | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return { text, isMarkdown: kindOf(file) === 'markdown' }
  } catch {
    say(strings.files.unreadable(file.name))
    return null
  }
}

const texts = new Map<EditorView, Insert>()
let stopWatching = (): void => {}

/** Takes files that are dropped on the page for this text, as long as the undo that it returns has not run. */
export function takeFiles(view: EditorView, insert: Insert): () => void {
  if (texts.size === 0) stopWatching = watchPage()
  texts.set(view, insert)
  return () => {
    texts.delete(view)
    if (texts.size === 0) stopWatching()
  }
}

/** Before the editors hear of it. A drop that nobody prevents opens the file in place of the page. */
function watchPage(): () => void {
  const stop = new AbortController()
  const options = { capture: true, signal: stop.signal }
  addEventListener('dragover', onDragOver, options)
  addEventListener('drop', onDrop, options)
  return () => stop.abort()
}

const filesOf = ({ dataTransfer }: DragEvent): readonly File[] | null =>
  dataTransfer?.types.includes('Files') ? [...dataTransfer.files] : null

function onDragOver(event: DragEvent): void {
  if (!filesOf(event)) return
  event.preventDefault()
  // Elsewhere on the page it is allowed as well: the drop is then told why nothing came of it.
  event.dataTransfer!.dropEffect = 'copy'
}

function onDrop(event: DragEvent): void {
  const files = filesOf(event)
  if (!files) return
  event.preventDefault()
  const [view, insert] = [...texts].find(([{ dom }]) => dom.contains(event.target as Node)) ?? []
  if (!view || !insert) return say(strings.files.droppedElsewhere)
  if (!view.editable) return say(strings.files.viewOnly)
  moveCaretTo(view, event)
  void insertFiles(view, files, insert)
}

/** The caret goes along with what others write until the file has been read. */
function moveCaretTo(view: EditorView, { clientX, clientY }: DragEvent): void {
  const { doc, tr } = view.state
  const pos = view.posAtCoords({ left: clientX, top: clientY })?.pos ?? doc.content.size
  view.focus()
  view.dispatch(tr.setSelection(Selection.near(doc.resolve(pos))))
}
