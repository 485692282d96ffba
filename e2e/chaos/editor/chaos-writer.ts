/** One of the writers of a run: a document, an editor on it, and what is recorded of both. */
import type { Node } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { isFormattingCleanup } from '../../../lib/undo/undoable-edits.ts'
import { type ActName, playAct, typingActs } from './acts.ts'
import { ChaosViolation, describeError, differenceOf } from './chaos-violation.ts'
import { Choices } from './choices.ts'
import { handsFor } from './editor-hands.ts'
import type { EditorSubject, HeadlessEditor } from './editor-subject.ts'
import { type EditTrace, traceEdit } from './edit-trace.ts'
import { countShownLetters, countStoredLetters, hiddenCellsIn } from './letters.ts'
import { playProgramAct, type ProgramActName } from './program-acts.ts'
import type { RunRecord } from './run-record.ts'
import { openStockClient } from './stock-client.ts'
import type { WriterKind } from './script.ts'

export interface WriterOptions {
  readonly name: string
  readonly kind: WriterKind
  readonly subject: EditorSubject
  readonly record: Pick<RunRecord, 'letters' | 'oracle' | 'onViolation'>
}

/** What a writer is doing while its document changes. Anything that it writes in another activity but `acting` it writes by itself. */
type Activity = 'acting' | 'opening' | 'receiving' | 'idle'

export class ChaosWriter {
  readonly name: string
  readonly kind: WriterKind
  readonly doc: Y.Doc
  readonly #options: WriterOptions
  readonly #editor: HeadlessEditor | null
  /** Yjs itself deletes superfluous marks. That is seen before what was deleted is collected. */
  readonly #cleanups = new WeakSet<Y.Transaction>()
  #activity: Activity = 'opening'
  #isUnchecked = false
  #hasWritten = false
  #traces: EditTrace[] = []
  /** One for each update of which nobody's act was the cause. */
  #ownWrites: Activity[] = []

  /** Opens the editor. `doc` has what this writer has stored. */
  constructor(doc: Y.Doc, options: WriterOptions) {
    this.name = options.name
    this.kind = options.kind
    this.doc = doc
    this.#options = options
    doc.on('afterTransaction', this.#onTransaction)
    doc.on('update', this.#onUpdate)
    this.#editor = this.#record(() => this.#openEditor())
    this.#activity = 'idle'
    this.checkRest('opening')
  }

  /** What this writer's screen shows, where it has one that is looked at. */
  get shown(): Node | null {
    return this.#isPage ? this.#editor!.state.doc : null
  }

  get #isPage(): boolean {
    return this.kind === 'editor' || this.kind === 'viewer'
  }

  /** Returns false where the act found an editor that cannot be edited. */
  act(name: ActName, numbers: readonly number[]): boolean {
    const editor = this.#editor!
    const isReader = !editor.isEditable
    const { letters } = this.#options.record
    const context = {
      editor,
      hands: handsFor(editor.state.schema),
      letters,
      doc: this.doc,
      choices: new Choices(numbers),
    }
    this.#recordAct(isReader ? 'select' : name, () => playAct(isReader ? 'select' : name, context))
    return !isReader
  }

  actAsProgram(name: ProgramActName, numbers: readonly number[]): void {
    const { letters } = this.#options.record
    this.#recordAct(name, () => playProgramAct(name, this.doc, new Choices(numbers), letters))
  }

  receive(update: Uint8Array): void {
    this.#during('receiving', () => this.#record(() => Y.applyUpdate(this.doc, update, 'network')))
    this.#isUnchecked = true
  }

  /** Checks what was received since the last check. */
  checkReceived(): void {
    if (this.#isUnchecked) this.checkRest('receiving')
  }

  /** What must hold whenever nothing is under way. */
  checkRest(after: string): void {
    const { subject } = this.#options
    this.#isUnchecked = false
    if (!this.#isPage) return
    const [activity] = this.#ownWrites.splice(0)
    if (activity) this.#report(`writes while ${activity}`, this.name)
    const shown = this.#editor!.state.doc
    const reading = subject.readShown(this.doc)
    if (!shown.eq(reading))
      this.#report(
        'the screen is not the document',
        `${this.name} after ${after}: ${differenceOf(shown, reading)}`,
      )
    try {
      shown.check()
    } catch (error) {
      this.#report('invalid document', `${this.name} after ${after}: ${String(error)}`)
    }
  }

  close(): void {
    this.doc.off('update', this.#onUpdate)
    this.doc.off('afterTransaction', this.#onTransaction)
    this.#editor?.destroy()
  }

  #openEditor(): HeadlessEditor | null {
    const { subject } = this.#options
    if (this.kind === 'program') return null
    return this.kind === 'stock'
      ? openStockClient(this.doc)
      : subject.openEditor(this.doc, this.kind === 'editor')
  }

  #recordAct(name: string, act: () => void): void {
    if (this.kind !== 'editor' && this.kind !== 'viewer') {
      this.#during('acting', () => this.#record(act))
      return
    }
    const { oracle } = this.#options.record
    const before = this.#look()
    this.#during('acting', act)
    this.checkRest(name)
    const after = this.#look()
    const traces = this.#takeTraces()
    const faults = oracle.recordAct({
      by: this.name,
      act: name,
      shownBefore: before.shown,
      shownAfter: after.shown,
      storedBefore: before.stored,
      storedAfter: after.stored,
      hasRemovedUnknown: before.unknown.some(
        (part) => countOf(part, before.unknown) > countOf(part, after.unknown),
      ),
      traces,
    })
    for (const { kind, letters } of faults) this.#report(kind, `${this.name}, ${name}: ${letters.join(', ')}`)
    if (typingActs.has(name)) this.#checkTyping(name, traces)
    if (this.kind === 'viewer' && this.#hasWritten) this.#report('a viewer writes', `${this.name}, ${name}`)
    this.#hasWritten = false
  }

  /** Typing at a caret writes letters, and the blocks around them where those were only shown. */
  #checkTyping(name: string, traces: readonly EditTrace[]): void {
    const written = new Set(traces.flatMap(({ letters }) => letters.flatMap(({ within }) => within)))
    const superfluous = traces.flatMap(({ addedTypes }) => addedTypes).filter((type) => !written.has(type))
    if (superfluous.length > 0)
      this.#report('stores what was only shown', `${this.name}, ${name}: ${superfluous.join(', ')}`)
    const deleted = traces.flatMap(({ deletedTypes }) => deletedTypes)
    if (deleted.length > 0)
      this.#report('typing rewrites a block', `${this.name}, ${name}: ${deleted.join(', ')}`)
  }

  /** Records what a writer does whose screen is not looked at. */
  #record<Result>(run: () => Result): Result {
    if (this.#isPage) return run()
    const before = countStoredLetters(this.doc)
    try {
      return run()
    } finally {
      const traces = this.#takeTraces()
      if (traces.length > 0)
        this.#options.record.oracle.recordEdit(this.name, before, countStoredLetters(this.doc), traces)
    }
  }

  #look() {
    const { doc } = this.#editor!.state
    const unknown: string[] = []
    doc.descendants((node) => {
      if (this.#options.subject.isUnknown(node)) unknown.push(JSON.stringify(node.attrs))
    })
    unknown.push(...hiddenCellsIn(this.doc.getXmlFragment('default')))
    return { shown: countShownLetters(doc), stored: countStoredLetters(this.doc), unknown }
  }

  #during(activity: Activity, run: () => unknown): void {
    this.#activity = activity
    try {
      run()
    } catch (error) {
      if (this.#isPage) this.#report(`throws while ${activity}`, `${this.name}: ${describeError(error)}`)
    } finally {
      this.#activity = 'idle'
    }
  }

  #report(kind: string, details: string): void {
    this.#options.record.onViolation(new ChaosViolation(kind, details))
  }

  #takeTraces(): EditTrace[] {
    const traces = this.#traces
    this.#traces = []
    return traces
  }

  /** Called where a transaction changed something. */
  readonly #onUpdate = (
    _update: Uint8Array,
    _origin: unknown,
    _doc: Y.Doc,
    transaction: Y.Transaction,
  ): void => {
    if (!transaction.local || this.#cleanups.has(transaction)) return
    if (this.#activity !== 'acting') this.#ownWrites.push(this.#activity)
    if (this.#activity === 'acting' || !this.#isPage) this.#hasWritten = true
  }

  readonly #onTransaction = (transaction: Y.Transaction): void => {
    if (!transaction.local) return
    if (isFormattingCleanup(transaction)) this.#cleanups.add(transaction)
    else if (this.#activity === 'acting' || !this.#isPage) this.#traces.push(traceEdit(transaction))
  }
}

const countOf = (part: string, parts: readonly string[]): number => parts.filter((one) => one === part).length
