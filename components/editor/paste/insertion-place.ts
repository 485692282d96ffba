/**
 * Keeps where content that takes a while to prepare, or to insert, is inserted: the place moves with each edit, whoever makes it, and does not
 * follow the caret. Knows selections; does not know what is inserted.
 */
import type { Slice } from '@tiptap/pm/model'
import {
  type EditorState,
  Plugin,
  PluginKey,
  Selection,
  type SelectionBookmark,
  type Transaction,
} from '@tiptap/pm/state'
import type { Mappable } from '@tiptap/pm/transform'
import type { EditorView } from '@tiptap/pm/view'

type Bookmark = SelectionBookmark | InsertionPoint

type Bookmarks = ReadonlyMap<object, Bookmark>

interface PlaceChange {
  readonly place: object
  /** Null once the place is used. */
  readonly bookmark: Bookmark | null
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
    const bookmark = placesKey.getState(this.#view.state)!.get(this)! as SelectionBookmark
    this.#change(null)
    const selection = bookmark.resolve(doc)
    return selection.content().eq(this.#selected) ? selection : Selection.near(selection.$to, -1)
  }

  #change(bookmark: SelectionBookmark | null): void {
    const change: PlaceChange = { place: this, bookmark }
    this.#view.dispatch(this.#view.state.tr.setMeta(placesKey, change))
  }
}

/** A position behind all that is inserted at it. Null once what was around it is deleted. */
class InsertionPoint {
  readonly at: number | null

  constructor(at: number | null) {
    this.at = at
  }

  map(mapping: Mappable): InsertionPoint {
    if (this.at === null) return this
    const { pos, deletedAcross } = mapping.mapResult(this.at)
    return new InsertionPoint(deletedAcross ? null : pos)
  }
}

/** Keeps a position in the transaction's document from then on, under any object. Null forgets it. */
export const keepPosition = (transaction: Transaction, place: object, at: number | null): Transaction =>
  transaction.setMeta(placesKey, {
    place,
    bookmark: at === null ? null : new InsertionPoint(at),
  } satisfies PlaceChange)

/** Null once what was around the position is deleted. */
export const keptPosition = (state: EditorState, place: object): number | null =>
  (placesKey.getState(state)?.get(place) as InsertionPoint | undefined)?.at ?? null
