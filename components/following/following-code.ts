/** What moves linked windows together. It is loaded once there is somebody to move with (window-following.ts). */
import type { Editor, EditorEvents } from '@tiptap/core'
import { isDrawn } from '@/components/binding/text-binding.ts'
import { formatChangeCount } from '@/components/binding/format-changes.ts'
import { Following, type FollowingDependencies } from '@/lib/following/following.ts'
import { EditorSurface } from './editor-surface.ts'
import type { LoadedFollowing } from './following-context.ts'
import { keepScrollAnchored } from './scroll-anchoring.ts'
import { TextScroller } from './text-scroller.ts'

export { startLinkNavigation } from './link-navigation.ts'

const requestFrame = (run: () => void): (() => void) => {
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}

export const createFollowing = (
  dependencies: Omit<FollowingDependencies, 'requestFrame'>,
  linked: boolean,
): Following => new Following({ ...dependencies, requestFrame }, linked)

/** Links an editor to the other windows, and keeps it still during remote edits. Returns a function that stops both. */
export function linkEditor(editor: Editor, context: LoadedFollowing): () => void {
  const { following, fragment, wasUsedAlone } = context
  const scroller = new TextScroller(editor.view.dom)
  const surface = new EditorSurface(editor, fragment, scroller)
  const handle = following.addSurface(surface)
  const { doc } = fragment
  const stopAnchoring = doc ? keepScrollAnchored(doc, surface) : () => {}
  const onScroll = () => {
    surface.onScroll()
    handle.onScroll()
  }
  scroller.watch({ ...handle, onScroll })
  const onSelect = () => {
    surface.onSelect()
    handle.onSelect()
  }
  let seenChanges = -1
  const onSelection = ({ transaction }: EditorEvents['selectionUpdate']) => {
    // Remote edits shift the selection, too.
    if (isDrawn(transaction) || !editor.isFocused) return
    const changes = formatChangeCount(editor.state)
    // A letter that is typed leaves the caret in its section.
    const isSame = surface.isAtCaret && changes === seenChanges
    seenChanges = changes
    if (!isSame) onSelect()
  }
  editor.on('selectionUpdate', onSelection)
  // Whoever comes next goes where this window is.
  if (wasUsedAlone && !scroller.isAtStart) onScroll()
  if (wasUsedAlone && editor.isFocused) onSelect()
  return () => {
    editor.off('selectionUpdate', onSelection)
    stopAnchoring()
    scroller.stop()
    surface.markSelection(null)
    handle.remove()
  }
}
