/**
 * Undo of one document in one window: of what was done in it, or in all windows of this browser. Every window knows every step of
 * the others, so that what a closed one did can be taken back by those that remain.
 *
 *   edit ─▶ step ─(with the edit, to the neighbours)─▶ the same step in each        undo in any ─▶ moved in each
 *
 * Yjs's UndoManager does the work on its stacks; here stands who puts what on them. What is brought back stands under new ids:
 * those are told, and put into the steps that know the old ones. A window that came later has no content of what was deleted
 * before: it asks one that has it. Knows Yjs and notes; does not know the editor or the screen.
 */
import * as Y from 'yjs'
import type { UndoScope } from '../desk/settings.ts'
import { randomId } from '../protocol/ids.ts'
import type { Notes } from '../sync/notes.ts'
import { AnyOrigin, isEdit, mayDelete } from './edits.ts'
import type { Known, Made, Moved, Note, Please } from './note.ts'
import { settles } from './origins.ts'
import { align, isKept, keep, pointTo, type Redone, redoneIn } from './ranges.ts'
import { type Direction, Stacks } from './stacks.ts'
import {
  aboutOf,
  itemOf,
  setAbout,
  type StackItem,
  type Step,
  stepOf,
  targetOf,
  type UndoTarget,
  type What,
  whatOf,
} from './step.ts'
import { notifyAll } from '../notify-all.ts'

/** What a person is told of. */
export interface Undone {
  readonly direction: Direction
  readonly what: What
  /** Where it had been done: '' for a text. */
  readonly where: string
  /** It had been done in this window. */
  readonly here: boolean
}

interface Asking {
  readonly id: string
  readonly direction: Direction
  readonly target: UndoTarget
  /** The neighbour that is asked, and then the others. */
  readonly whom: readonly string[]
}

interface UndoOptions {
  readonly body: Y.XmlFragment
  /** Of the same document. */
  readonly title: Y.Text
  readonly notes: Notes
  /** Where this window's steps are made, in words: "Outline". '' for a text. */
  readonly where: string
  /** What is done within so many ms is one step. */
  readonly captureMs?: number
}

export class Undo {
  readonly manager: Y.UndoManager
  readonly #doc: Y.Doc
  readonly #body: Y.XmlFragment
  readonly #title: Y.Text
  /** Of the latest edit: what is typed in the title and then in the text is two steps, however quickly one follows the other. */
  #target: UndoTarget = 'text'
  readonly #notes: Notes
  readonly #where: string
  readonly #id = randomId()
  readonly #stacks: Stacks
  /** By neighbour, the id under which it makes steps. */
  readonly #peers = new Map<string, string>()
  /** What the transaction that is under way is to its neighbours. */
  #saying: ((transaction: Y.Transaction) => Note) | null = null
  readonly #said = new WeakMap<Y.Transaction, Note>()
  #doing: { readonly what: What; readonly asked: string } | null = null
  #asking: Asking | null = null
  #label: string | undefined
  /** All that was ever brought back, in that order. */
  readonly #redone: Redone[] = []
  #made = 0
  readonly #undoneListeners = new Set<(undone: Undone) => void>()
  readonly #listeners = new Set<() => void>()

  constructor({ body, title, notes, where, captureMs = 500 }: UndoOptions) {
    this.#body = body
    this.#title = title
    this.manager = new Y.UndoManager([body, title], {
      captureTimeout: captureMs,
      trackedOrigins: new AnyOrigin(),
      captureTransaction: this.#capture,
      deleteFilter: mayDelete,
    })
    this.#doc = this.manager.doc
    this.#notes = notes
    this.#where = where
    this.#stacks = new Stacks(this.manager, this.#id)
    this.manager.on('stack-item-added', ({ stackItem }) => this.#onItem(stackItem, 'made'))
    this.manager.on('stack-item-updated', ({ stackItem }) => this.#onItem(stackItem, 'grown'))
    settles(this.manager)
    this.#doc.on('afterTransaction', this.#onTransaction)
    notes.read({
      noteOf: (transaction) => this.#said.get(transaction),
      heard: (note, from) => this.#heard(note as Note, from),
      met: (from) => this.#say({ type: 'known', by: this.#id, ...this.#stacks.known() }, from),
      gone: (from) => this.#onGone(from),
    })
  }

  setScope(scope: UndoScope): void {
    if (scope === this.#stacks.scope) return
    this.#stacks.setScope(scope)
    this.#changed()
  }

  undo(target: UndoTarget = 'text'): void {
    this.#step('undo', target)
  }

  redo(target: UndoTarget = 'text'): void {
    this.#step('redo', target)
  }

  /** What undo or redo would do next in the text. */
  next(direction: Direction): StackItem | undefined {
    return this.#stacks.latest(direction, 'text')
  }

  /** Makes one step of what `change` does, with a name: "12 replacements". */
  run<Answer>(label: string, change: () => Answer): Answer {
    this.manager.stopCapturing()
    this.#label = label
    try {
      return this.#doc.transact(change, this)
    } finally {
      this.#label = undefined
      this.manager.stopCapturing()
    }
  }

  /** Hears what this window has undone or done again, or had another do. Returns the undo. */
  onUndone(listener: (undone: Undone) => void): () => void {
    this.#undoneListeners.add(listener)
    return () => this.#undoneListeners.delete(listener)
  }

  /** Hears when there may be more or less to undo. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  // Doing

  #step(direction: Direction, target: UndoTarget): void {
    const item = this.#stacks.latest(direction, target)
    const about = item && aboutOf(item)
    if (!about) return
    if (this.#canDo(item)) return this.#do(item, direction, this.#id)
    // Its author first: it has what it deleted.
    const isAuthor = (peer: string): boolean => this.#peers.get(peer) === about.window
    const whom = [...this.#peers.keys()].toSorted((a, b) => Number(isAuthor(b)) - Number(isAuthor(a)))
    this.#ask({ id: about.id, direction, target, whom })
  }

  #do(item: StackItem, direction: Direction, asked: string): void {
    const { window = '', where = '' } = aboutOf(item) ?? {}
    const what = whatOf(this.#doc, item, direction)
    this.#stacks.raise(item, direction)
    align(this.#doc, this.#redone)
    this.#doing = { what, asked }
    const done = this.#stacks.popOnly(direction, targetOf(item), () => this.manager[direction]())
    this.#doing = null
    this.manager.stopCapturing()
    if (done && asked === this.#id) this.#tell({ direction, what, where, here: window === this.#id })
    this.#changed()
  }

  #canDo({ deletions, insertions }: StackItem): boolean {
    return isKept(this.#doc, deletions, insertions)
  }

  // Saying

  #capture = (transaction: Y.Transaction): boolean => {
    if (!isEdit(transaction)) return false
    const target = this.#targetOf(transaction)
    if (target !== this.#target) this.manager.stopCapturing()
    this.#target = target
    return true
  }

  /** What has a name is a command, and is undone as a whole wherever it reached: a restored version has its own title. */
  #targetOf({ changedParentTypes }: Y.Transaction): UndoTarget {
    const changed: ReadonlyMap<unknown, unknown> = changedParentTypes
    const isOfTitle = changed.has(this.#title) && !changed.has(this.#body)
    return isOfTitle && this.#label === undefined ? 'title' : 'text'
  }

  /** New, grown, or the opposite of what is being undone. */
  #onItem(item: StackItem, type: Made['type']): void {
    const { currStackItem: before, undoing, redoing } = this.manager
    if (before && (undoing || redoing)) {
      setAbout(item, aboutOf(before)!)
      this.#saying = (transaction) => this.#moved(item, before, undoing ? 'undo' : 'redo', transaction)
    } else {
      if (!aboutOf(item)) setAbout(item, this.#newAbout())
      this.#stacks.dropUndone(this.#id)
      this.#saying = () => ({ type, step: stepOf(item)! })
    }
    this.#changed()
  }

  #newAbout() {
    const id = `${this.#id}.${++this.#made}`
    const label = this.#label
    const [window, where, target] = [this.#id, this.#where, this.#target]
    return { id, window, where, at: this.#stacks.nextTime(), target, ...(label && { label }) }
  }

  #moved(item: StackItem, before: StackItem, direction: Direction, transaction: Y.Transaction): Moved {
    const redone = redoneIn(transaction, before.deletions)
    this.#learn(redone)
    const { what = {}, asked = this.#id } = this.#doing ?? {}
    return { type: 'moved', direction, step: stepOf(item)!, redone, what, asked }
  }

  #onTransaction = (transaction: Y.Transaction): void => {
    if (this.#saying) this.#said.set(transaction, this.#saying(transaction))
    this.#saying = null
    // Whether a neighbour made it is known too late, where the server was quicker.
    if (!transaction.local && this.#stacks.scope === 'all' && this.#peers.size > 0)
      keep(transaction, transaction.deleteSet)
  }

  #say(note: Note, to: string): void {
    this.#notes.tell(note, to)
  }

  // Hearing

  #heard(note: Note, from: string): void {
    switch (note.type) {
      case 'made':
        return this.#onMade(note.step)
      case 'grown':
        return this.#onGrown(note.step)
      case 'moved':
        return this.#onMoved(note)
      case 'known':
        return this.#onKnown(note, from)
      case 'please':
        return this.#onPlease(note, from)
      case 'cannot':
        return this.#onCannot(note.id)
    }
  }

  #onMade(step: Step): void {
    this.#stacks.dropUndone(step.window)
    this.#put(step, 'undo')
  }

  #onGrown(step: Step): void {
    const known = this.#stacks.find(step.id)
    const { insertions, deletions } = itemOf(step)
    if (known) Object.assign(known, { insertions, deletions })
    else this.#onMade(step)
  }

  #onMoved({ direction, step, redone, what, asked }: Moved): void {
    this.#stacks.take(step.id)
    pointTo(this.#doc, redone)
    this.#learn(redone)
    this.#put(step, direction === 'undo' ? 'redo' : 'undo')
    if (asked !== this.#id) return
    this.#asking = null
    this.#tell({ direction, what, where: step.where, here: step.window === this.#id })
  }

  #onKnown({ by, done, undone }: Known, from: string): void {
    this.#peers.set(from, by)
    const isNews = ({ id }: Step): boolean => !this.#stacks.find(id)
    for (const step of done.filter(isNews)) this.#put(step, 'undo')
    for (const step of undone.filter(isNews)) this.#put(step, 'redo')
    this.#stacks.sort()
  }

  #learn(redone: readonly Redone[]): void {
    this.#redone.push(...redone)
    this.#stacks.translate(redone)
  }

  #put(step: Step, direction: Direction): void {
    this.#stacks.put(itemOf(step), direction)
    this.#changed()
  }

  // Asking

  #ask(asking: Asking): void {
    const { id, direction, target, whom } = asking
    this.#asking = asking
    if (whom[0]) return this.#say({ type: 'please', id, direction, asked: this.#id }, whom[0])
    // Nobody has it any more: what was done before it can be had.
    this.#asking = null
    this.#stacks.take(id)
    this.#step(direction, target)
    this.#changed()
  }

  #onPlease({ id, direction, asked }: Please, from: string): void {
    const item = this.#stacks.of(direction).find((one) => aboutOf(one)?.id === id)
    if (item && this.#canDo(item)) this.#do(item, direction, asked)
    else this.#say({ type: 'cannot', id }, from)
  }

  #onCannot(id: string): void {
    const asking = this.#asking
    if (asking?.id === id) this.#ask({ ...asking, whom: asking.whom.slice(1) })
  }

  #onGone(from: string): void {
    this.#peers.delete(from)
    const asking = this.#asking
    if (asking?.whom[0] === from) this.#onCannot(asking.id)
  }

  #tell(undone: Undone): void {
    notifyAll(this.#undoneListeners, undone)
  }

  #changed(): void {
    notifyAll(this.#listeners)
  }
}
