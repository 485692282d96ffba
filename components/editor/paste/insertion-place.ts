/**
 * Keeps where content that takes a while to prepare is inserted: the place moves with each edit, whoever makes it, and does not follow the
 * caret. Knows selections; does not know what is inserted.
 */
import type { Slice } from '@tiptap/pm/model'
import { Plugin, PluginKey, Selection, type SelectionBookmark } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'

type Bookmarks = ReadonlyMap<InsertionPlace, SelectionBookmark>

interface PlaceChange {
  readonly place: InsertionPlace
  /** Null once the place is used. */
  readonly bookmark: SelectionBookmark | null
}

const placesKey = new PluginKey<Bookmarks>('insertionPlaces')

export const insertionPlacesPlugin = (): Plugin<Bookmarks> =>
  new Plugin({
    key: placesKey,
    state: {
      init: (): Bookmarks => new Map(),
      apply(transaction, places) {
        const change = transaction.getMeta(placesKey) as PlaceChange | undefined
        if (!change && (places.size === 0 || !transaction.docChanged)) return places
        const { mapping } = transaction
        const moved = new Map([...places].map(([place, bookmark]) => [place, bookmark.map(mapping)]))
        if (change?.bookmark) moved.set(change.place, change.bookmark)
        else if (change) moved.delete(change.place)
        return moved
      },
    },
  })

export class InsertionPlace {
  readonly #view: EditorView
  /** The inserted blocks replace this selection. */
  readonly #selected: Slice

  /** The place is the selection as it is now. */
  constructor(view: EditorView) {
    const { selection } = view.state
    this.#view = view
    this.#selected = selection.content()
    this.#change(selection.getBookmark())
  }

  /** Ends the place. What was written into the selection since then is not replaced: the place is behind it. */
  take(): Selection {
    const { doc } = this.#view.state
    const bookmark = placesKey.getState(this.#view.state)!.get(this)!
    this.#change(null)
    const selection = bookmark.resolve(doc)
    return selection.content().eq(this.#selected) ? selection : Selection.near(selection.$to, -1)
  }

  #change(bookmark: SelectionBookmark | null): void {
    const change: PlaceChange = { place: this, bookmark }
    this.#view.dispatch(this.#view.state.tr.setMeta(placesKey, change))
  }
}
