/**
 * Undo of one document in one window: of what was done in it, or in all windows of this browser. Every window knows every step of the
 * others, so that those that remain can undo what a closed one did.
 *
 *   edit ─▶ step ─(with the edit, to the neighbours)─▶ the same step in each        undo in any ─▶ moved in each
 *
 * Yjs's UndoManager does the work on its stacks; this class decides which window's steps are put on them. Restored content stands under
 * new ids: those are sent, and put into the steps that have the old ones. A window that came later has no content of what was deleted
 * before, so it asks one that has it. Knows Yjs and notes; does not know the editor or the screen.
 */
import * as Y from 'yjs'
import type { UndoScope } from '../desk/settings.ts'
import { randomId } from '../protocol/ids.ts'
import type { NoteChannel } from '../sync/note-channel.ts'
import { AnyOrigin, isColumnName, isUndoable, mayDelete, mayShareLetters } from './undoable-edits.ts'
import type {
  KnownStepsMessage,
  StepMadeMessage,
  StepMovedMessage,
  UndoMessage,
  StepRequestMessage,
} from './undo-messages.ts'
import { settleOriginsOf } from './settle-origins.ts'
import {
  addRedoneRanges,
  isContentKept,
  keepContent,
  linkToRedone,
  type RedoneRange,
  redoneRangesIn,
  unrestoredTextsOf,
} from './struct-ranges.ts'
import { type UndoDirection, UndoStacks } from './undo-stacks.ts'
import {
  detailsOf,
  stackItemOf,
  setDetails,
  type StackItem,
  type UndoStep,
  stepOf,
  undoTargetOf,
  type UndoTarget,
  type StepSummary,
  stepSummaryOf,
} from './undo-step.ts'
import { notifyAll } from '../notify-all.ts'
import { Subscribable } from '../subscribable.ts'

/** What a person is shown after an undo or redo. */
export interface UndoReport {
  readonly direction: UndoDirection
  readonly what: StepSummary
  /** The window where the step was made, in words: '' for a text. */
  readonly windowLabel: string
  /** The step was made in this window. */
  readonly isOwnStep: boolean
}

interface PendingStepRequest {
  readonly id: string
  readonly direction: UndoDirection
  readonly target: UndoTarget
  /** The neighbour that is being asked, and then the others. */
  readonly candidates: readonly string[]
}

interface RunningStep {
  readonly what: StepSummary
  readonly requester: string
  /** By step, the letters that it deleted and that cannot come back, once Yjs has restored the others. */
  readonly unrestored: Map<StackItem, readonly string[]>
}

interface UndoOptions {
  readonly body: Y.XmlFragment
  /** Belongs to the same document. */
  readonly title: Y.Text
  readonly notes: NoteChannel
  /** Where this window's steps are made, in words: "Outline". '' for a text. */
  readonly windowLabel: string
  /** Edits within this many ms are one step. */
  readonly captureMs?: number
}

export class Undo {
  readonly manager: Y.UndoManager
  readonly #doc: Y.Doc
  readonly #body: Y.XmlFragment
  readonly #title: Y.Text
  /** The target of the latest edit. Typing in the title and then in the text is two steps, however quickly one follows the other. */
  #latestTarget: UndoTarget = 'text'
  readonly #noteChannel: NoteChannel
  readonly #windowLabel: string
  readonly #id = randomId()
  readonly #stacks: UndoStacks
  /** The id under which each neighbour makes steps, by neighbour. */
  readonly #peers = new Map<string, string>()
  /** Creates the message about the transaction that is under way. */
  #createMessage: ((transaction: Y.Transaction) => UndoMessage) | null = null
  readonly #messages = new WeakMap<Y.Transaction, UndoMessage>()
  #running: RunningStep | null = null
  #pendingRequest: PendingStepRequest | null = null
  #label: string | undefined
  /** The ranges that were restored, in that order. */
  readonly #redoneRanges: RedoneRange[] = []
  #stepCount = 0
  readonly #reportListeners = new Set<(undone: UndoReport) => void>()
  readonly #listeners = new Subscribable()

  constructor({ body, title, notes, windowLabel, captureMs = 500 }: UndoOptions) {
    this.#body = body
    this.#title = title
    this.manager = new Y.UndoManager([body, title], {
      captureTimeout: captureMs,
      trackedOrigins: new AnyOrigin(),
      captureTransaction: this.#shouldCapture,
      deleteFilter: (item) =>
        mayDelete(item) && !this.#isLastCopy(item) && !(this.manager.undoing && isColumnName(item)),
    })
    this.#doc = this.manager.doc
    this.#noteChannel = notes
    this.#windowLabel = windowLabel
    this.#stacks = new UndoStacks(this.manager, this.#id)
    this.manager.on('stack-item-added', ({ stackItem }) => this.#onItem(stackItem, 'made'))
    this.manager.on('stack-item-updated', ({ stackItem }) => this.#onItem(stackItem, 'grown'))
    settleOriginsOf(this.manager, this.#redoneRanges)
    this.#doc.on('afterTransaction', this.#onTransaction)
    notes.setHandlers({
      noteOf: (transaction) => this.#messages.get(transaction),
      onNote: (note, from) => this.#receive(note as UndoMessage, from),
      onNeighbourJoined: (from) =>
        this.#send({ type: 'known', by: this.#id, ...this.#stacks.latestSteps() }, from),
      onNeighbourGone: (from) => this.#onNeighbourGone(from),
    })
  }

  setScope(scope: UndoScope): void {
    if (scope === this.#stacks.scope) return
    this.#stacks.setScope(scope)
    this.#notifyChanged()
  }

  undo(target: UndoTarget = 'text'): void {
    this.#undoOrRedo('undo', target)
  }

  redo(target: UndoTarget = 'text'): void {
    this.#undoOrRedo('redo', target)
  }

  /** The step that undo or redo would perform next in the text. */
  nextItem(direction: UndoDirection): StackItem | undefined {
    return this.#stacks.latestItem(direction, 'text')
  }

  /** Makes one named step of what `change` does: "12 replacements". */
  runAsStep<Result>(label: string, change: () => Result): Result {
    this.manager.stopCapturing()
    this.#label = label
    try {
      return this.#doc.transact(change, this)
    } finally {
      this.#label = undefined
      this.manager.stopCapturing()
    }
  }

  /** The step as undo would perform it now: a redo makes another item of it. Undefined once it has been undone. */
  growingItem(step: StackItem): StackItem | undefined {
    const id = detailsOf(step)?.id
    return this.manager.undoStack.find(
      (item) => item === step || (id !== undefined && detailsOf(item)?.id === id),
    )
  }

  /** Adds what `change` does to a step that can grow, whatever was done since. */
  growStep(item: StackItem, change: () => void): void {
    const { manager } = this
    const { lastChange } = manager
    this.#stacks.moveToTop(item, 'undo')
    this.#latestTarget = undoTargetOf(item)
    // However long it takes to draw the change before it is written.
    manager.lastChange = Infinity
    try {
      change()
    } finally {
      manager.lastChange = lastChange
      this.#stacks.sort()
    }
  }

  /**
   * Calls `listener` after this window has undone or redone something, or had another window do it. Returns a function that unsubscribes.
   */
  onUndone(listener: (undone: UndoReport) => void): () => void {
    this.#reportListeners.add(listener)
    return () => this.#reportListeners.delete(listener)
  }

  /** Calls `listener` when there may be more or less to undo. */
  readonly subscribe = this.#listeners.subscribe

  // Undo and redo

  #undoOrRedo(direction: UndoDirection, target: UndoTarget): void {
    const item = this.#stacks.latestItem(direction, target)
    const details = item && detailsOf(item)
    if (!details) return
    if (this.#canPerform(item)) return this.#perform(item, direction, this.#id)
    // The step's author comes first: it has what it deleted.
    const isAuthor = (peer: string): boolean => this.#peers.get(peer) === details.window
    const candidates = [...this.#peers.keys()].toSorted((a, b) => Number(isAuthor(b)) - Number(isAuthor(a)))
    this.#requestStep({ id: details.id, direction, target, candidates })
  }

  #perform(item: StackItem, direction: UndoDirection, requester: string): void {
    const { window = '', where = '' } = detailsOf(item) ?? {}
    const summary = stepSummaryOf(this.#doc, item, direction)
    this.#stacks.moveToTop(item, direction)
    this.#running = { what: summary, requester, unrestored: new Map() }
    const isDone = this.#stacks.popOnly(direction, undoTargetOf(item), () => this.manager[direction]())
    this.#running = null
    this.manager.stopCapturing()
    if (isDone && requester === this.#id)
      this.#notifyUndone({ direction, what: summary, windowLabel: where, isOwnStep: window === this.#id })
    this.#notifyChanged()
  }

  #canPerform({ deletions, insertions }: StackItem): boolean {
    return isContentKept(this.#doc, deletions, insertions)
  }

  /**
   * A move is a deletion and a copy. Where somebody else has meanwhile deleted or moved what the letters stood in, they cannot come back
   * there, and without the copy they would be gone.
   */
  #isLastCopy({ content }: Y.Item): boolean {
    const [running, item] = [this.#running, this.#stacks.performedItem]
    if (!running || !item || !(content instanceof Y.ContentString)) return false
    const unrestored = running.unrestored.get(item) ?? unrestoredTextsOf(this.#doc, item)
    running.unrestored.set(item, unrestored)
    return unrestored.some((text) => mayShareLetters(text, content.str))
  }

  // Recording steps

  #shouldCapture = (transaction: Y.Transaction): boolean => {
    if (!isUndoable(transaction)) return false
    const target = this.#targetOf(transaction)
    if (target !== this.#latestTarget) this.manager.stopCapturing()
    this.#latestTarget = target
    return true
  }

  /** A step with a label is a command and is undone as a whole wherever it reached: a restored version has its own title. */
  #targetOf({ changedParentTypes }: Y.Transaction): UndoTarget {
    const changed: ReadonlyMap<unknown, unknown> = changedParentTypes
    const isOfTitle = changed.has(this.#title) && !changed.has(this.#body)
    return isOfTitle && this.#label === undefined ? 'title' : 'text'
  }

  /** The step is new, has grown, or is the opposite of the one being undone or redone. */
  #onItem(item: StackItem, type: StepMadeMessage['type']): void {
    const { currStackItem: before, undoing, redoing } = this.manager
    if (before && (undoing || redoing)) {
      setDetails(item, detailsOf(before)!)
      this.#createMessage = (transaction) =>
        this.#movedMessageOf(item, before, undoing ? 'undo' : 'redo', transaction)
    } else {
      if (!detailsOf(item)) setDetails(item, this.#newDetails())
      this.#stacks.dropUndone(this.#id)
      this.#createMessage = () => ({ type, step: stepOf(item)! })
    }
    this.#notifyChanged()
  }

  #newDetails() {
    const id = `${this.#id}.${++this.#stepCount}`
    const label = this.#label
    const [window, where, target] = [this.#id, this.#windowLabel, this.#latestTarget]
    return { id, window, where, at: this.#stacks.nextTime(), target, ...(label && { label }) }
  }

  #movedMessageOf(
    item: StackItem,
    before: StackItem,
    direction: UndoDirection,
    transaction: Y.Transaction,
  ): StepMovedMessage {
    const redone = redoneRangesIn(transaction, before.deletions)
    this.#addRedoneRanges(redone)
    const { what = {}, requester = this.#id } = this.#running ?? {}
    return { type: 'moved', direction, step: stepOf(item)!, redone, what, asked: requester }
  }

  #onTransaction = (transaction: Y.Transaction): void => {
    if (this.#createMessage) this.#messages.set(transaction, this.#createMessage(transaction))
    this.#createMessage = null
    // Keeps all remote deletions: where the server was quicker, it is known too late that a neighbour made them.
    if (!transaction.local && this.#stacks.scope === 'all' && this.#peers.size > 0)
      keepContent(transaction, transaction.deleteSet)
  }

  #send(message: UndoMessage, to: string): void {
    this.#noteChannel.sendNote(message, to)
  }

  // Receiving messages

  #receive(message: UndoMessage, from: string): void {
    switch (message.type) {
      case 'made':
        return this.#onStepMade(message.step)
      case 'grown':
        return this.#onStepGrown(message.step)
      case 'moved':
        return this.#onStepMoved(message)
      case 'known':
        return this.#onKnownSteps(message, from)
      case 'please':
        return this.#onStepRequest(message, from)
      case 'cannot':
        return this.#onStepUnavailable(message.id)
    }
  }

  #onStepMade(step: UndoStep): void {
    this.#stacks.dropUndone(step.window)
    this.#addStep(step, 'undo')
  }

  #onStepGrown(step: UndoStep): void {
    const existing = this.#stacks.findItem(step.id)
    const { insertions, deletions } = stackItemOf(step)
    if (existing) Object.assign(existing, { insertions, deletions })
    else this.#onStepMade(step)
  }

  #onStepMoved({ direction, step, redone, what, asked }: StepMovedMessage): void {
    this.#stacks.removeItem(step.id)
    this.#doc.transact((transaction) => linkToRedone(transaction, redone), linkToRedone)
    this.#addRedoneRanges(redone)
    this.#addStep(step, direction === 'undo' ? 'redo' : 'undo')
    if (asked !== this.#id) return
    this.#pendingRequest = null
    this.#notifyUndone({ direction, what, windowLabel: step.where, isOwnStep: step.window === this.#id })
  }

  #onKnownSteps({ by, done, undone }: KnownStepsMessage, from: string): void {
    this.#peers.set(from, by)
    const isUnknown = ({ id }: UndoStep): boolean => !this.#stacks.findItem(id)
    for (const step of done.filter(isUnknown)) this.#addStep(step, 'undo')
    for (const step of undone.filter(isUnknown)) this.#addStep(step, 'redo')
    this.#stacks.sort()
  }

  #addRedoneRanges(redone: readonly RedoneRange[]): void {
    addRedoneRanges(this.#redoneRanges, redone)
    this.#stacks.addRedoneRanges(redone)
  }

  #addStep(step: UndoStep, direction: UndoDirection): void {
    this.#stacks.addItem(stackItemOf(step), direction)
    this.#notifyChanged()
  }

  // Requesting steps

  #requestStep(request: PendingStepRequest): void {
    const { id, direction, target, candidates } = request
    this.#pendingRequest = request
    if (candidates[0]) return this.#send({ type: 'please', id, direction, asked: this.#id }, candidates[0])
    // No neighbour has the content any more, so the step before it is undone instead.
    this.#pendingRequest = null
    this.#stacks.removeItem(id)
    this.#undoOrRedo(direction, target)
    this.#notifyChanged()
  }

  #onStepRequest({ id, direction, asked: requester }: StepRequestMessage, from: string): void {
    const item = this.#stacks.stackOf(direction).find((one) => detailsOf(one)?.id === id)
    if (item && this.#canPerform(item)) this.#perform(item, direction, requester)
    else this.#send({ type: 'cannot', id }, from)
  }

  #onStepUnavailable(id: string): void {
    const request = this.#pendingRequest
    if (request?.id === id) this.#requestStep({ ...request, candidates: request.candidates.slice(1) })
  }

  #onNeighbourGone(from: string): void {
    this.#peers.delete(from)
    const request = this.#pendingRequest
    if (request?.candidates[0] === from) this.#onStepUnavailable(request.id)
  }

  #notifyUndone(report: UndoReport): void {
    notifyAll(this.#reportListeners, report)
  }

  #notifyChanged(): void {
    this.#listeners.notify()
  }
}
