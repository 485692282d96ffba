/**
 * Tidies what is pasted or dropped. The code for it is loaded when the text first gets the focus. A paste that is quicker waits for it.
 */
import { Extension } from '@tiptap/core'
import type { Slice } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { toastNotLoaded } from '@/components/ui/toast.ts'
import type { PictureChoice } from '@/components/blocks/picture/picture.ts'
import { acceptDroppedFiles } from './file-drops.ts'
import { insertionPlacesPlugin } from './insertion-place.ts'
import type { PastedText } from './paste-handling.ts'

type PasteHandling = Awaited<ReturnType<typeof importHandling>>

let loaded: PasteHandling | undefined

const importHandling = () => import('./paste-handling.ts')
const loadHandling = async (): Promise<PasteHandling> => (loaded ??= await importHandling())

const importChoice = () => import('./choose-files.ts')

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    /** They open the system's dialog for files, and insert what the person chooses. */
    tidyPaste: {
      choosePictures: (choice?: PictureChoice) => ReturnType
      chooseFiles: () => ReturnType
    }
  }
}

export const PasteExtension = Extension.create({
  name: 'tidyPaste',
  // Runs before the code block's paste handler, which makes code of whatever an editor of code copied.
  priority: 200,
  onFocus: () => void loadHandling().catch(() => undefined), // loaded once more by a paste
  addCommands: () => ({
    choosePictures:
      (choice) =>
      ({ view, dispatch }) => {
        if (dispatch)
          importChoice().then(({ choosePictures }) => choosePictures(view, choice), toastNotLoaded)
        return true
      },
    chooseFiles:
      () =>
      ({ view, dispatch }) => {
        if (dispatch) importChoice().then(({ chooseFiles }) => chooseFiles(view), toastNotLoaded)
        return true
      },
  }),
  addProseMirrorPlugins: () => [insertionPlacesPlugin(), pastePlugin()],
})

function pastePlugin(): Plugin {
  /** The text of the paste or drop in progress. Null if it is HTML. */
  let pastedText: PastedText | null = null
  return new Plugin({
    view: (view) => ({ destroy: acceptDroppedFiles(view, takeDroppedFiles) }),
    props: {
      handleDOMEvents: {
        paste: (view, event) => refusePaste(event) || holdPaste(view, event) || pasteImageAlone(view, event),
      },
      transformPastedHTML(html, view) {
        pastedText = null
        return loaded ? loaded.tidyPastedHtml(html, view) : html
      },
      transformPasted: (slice, view) => loaded?.tidyPastedSlice(slice, view) ?? slice,
      transformPastedText(text, isPlain) {
        pastedText = { text, isPlain }
        return text
      },
      clipboardTextParser: (text, $context) => loaded?.parseLines(text, $context) as Slice,
      handlePaste(view, { clipboardData }, slice) {
        const text = pastedText
        pastedText = null
        return loaded?.handlePaste(view, clipboardData, { text, slice }) ?? false
      },
    },
  })
}

function takeDroppedFiles(view: EditorView, files: readonly File[]): void {
  loadHandling().then(({ insertDroppedFiles }) => insertDroppedFiles(view, files), toastNotLoaded)
}

/** A table that is too large to be read is not pasted at all. */
function refusePaste(event: ClipboardEvent): boolean {
  const isRefused = event.clipboardData !== null && (loaded?.refuseLargeTable(event.clipboardData) ?? false)
  if (isRefused) event.preventDefault()
  return isRefused
}

/** Repeats a paste that came before its code. Where that does not load, the text is pasted as it is. */
function holdPaste(view: EditorView, event: ClipboardEvent): boolean {
  const { clipboardData } = event
  if (loaded || !clipboardData || !view.editable || view.composing) return false
  event.preventDefault()
  // The browser empties its own after the event.
  const held = copyOf(clipboardData)
  void loadHandling()
    .catch(() => undefined)
    .then(() => {
      if (view.isDestroyed) return
      if (loaded)
        view.dom.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: held, bubbles: true, cancelable: true }),
        )
      else pasteAsItIs(view, held)
    })
  return true
}

/** A browser that copies an image adds its address as HTML. The bytes are what is pasted. */
function pasteImageAlone(view: EditorView, event: ClipboardEvent): boolean {
  const { clipboardData } = event
  if (!loaded || !clipboardData || !view.editable || clipboardData.files.length === 0) return false
  if (!loaded.isImageAlone(clipboardData.getData('text/html'))) return false
  event.preventDefault()
  void loaded.insertDroppedFiles(view, [...clipboardData.files])
  return true
}

function copyOf(data: DataTransfer): DataTransfer {
  const copy = new DataTransfer()
  for (const type of data.types) if (type !== 'Files') copy.setData(type, data.getData(type))
  for (const file of data.files) copy.items.add(file)
  return copy
}

function pasteAsItIs(view: EditorView, data: DataTransfer): void {
  const html = data.getData('text/html')
  if (html === '') view.pasteText(data.getData('text/plain'))
  else view.pasteHTML(html)
}
