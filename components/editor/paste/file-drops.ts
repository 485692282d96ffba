/** Whatever is dropped on the page, and wherever, the page is not left. Knows where files are dropped; does not know what is in them. */
import { Selection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { toast } from '@/components/ui/toast.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

type TakeFiles = (view: EditorView, files: readonly File[]) => void

const showFilesToast = (sentence: string): void => toast(sentence, { id: 'files' })

const takeByView = new Map<EditorView, TakeFiles>()
let stopListening = (): void => {}

/** Gives files dropped on this text to `take` until the returned function is called. */
export function acceptDroppedFiles(view: EditorView, take: TakeFiles): () => void {
  if (takeByView.size === 0) stopListening = listenOnPage()
  takeByView.set(view, take)
  return () => {
    takeByView.delete(view)
    if (takeByView.size === 0) stopListening()
  }
}

/** Runs before the editors receive the event. A drop that nobody prevents opens the file in place of the page. */
function listenOnPage(): () => void {
  const stop = new AbortController()
  const options = { capture: true, signal: stop.signal }
  addEventListener('dragover', onDragOver, options)
  addEventListener('drop', onDrop, options)
  return () => stop.abort()
}

const droppedFilesOf = ({ dataTransfer }: DragEvent): readonly File[] | null =>
  dataTransfer?.types.includes('Files') ? [...dataTransfer.files] : null

function onDragOver(event: DragEvent): void {
  if (!droppedFilesOf(event)) return
  event.preventDefault()
  // A drop elsewhere on the page is allowed as well, so that a message can say why nothing was inserted.
  event.dataTransfer!.dropEffect = 'copy'
}

function onDrop(event: DragEvent): void {
  const files = droppedFilesOf(event)
  if (!files) return
  event.preventDefault()
  const [view, take] = [...takeByView].find(([{ dom }]) => dom.contains(event.target as Node)) ?? []
  if (!view || !take) return showFilesToast(editorStrings.files.droppedElsewhere)
  if (!view.editable) return showFilesToast(editorStrings.files.viewOnly)
  moveCaretTo(view, event)
  take(view, files)
}

/** The caret moves with other people's edits until the file has been read. */
function moveCaretTo(view: EditorView, { clientX, clientY }: DragEvent): void {
  const { doc, tr } = view.state
  const pos = view.posAtCoords({ left: clientX, top: clientY })?.pos ?? doc.content.size
  view.focus()
  view.dispatch(tr.setSelection(Selection.near(doc.resolve(pos))))
}
