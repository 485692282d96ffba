/** What is recorded of one run, in one process or over a server: the letters, and what was found wrong. */
import type { Node } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { ChaosViolation, differenceOf } from './chaos-violation.ts'
import type { EditorSubject } from './editor-subject.ts'
import { LetterOracle, type LetterLosses } from './letter-oracle.ts'
import { countStoredLetters, LetterSource } from './letters.ts'

export interface RunReport extends LetterLosses {
  /** The first of each kind. */
  readonly violations: readonly ChaosViolation[]
  readonly lettersWritten: number
  readonly acts: number
}

/** What is compared at the end. */
interface ComparedWriter {
  readonly name: string
  readonly doc: Y.Doc
  /** Null where nobody looks at the screen. */
  readonly shown: Node | null
}

export class RunRecord {
  readonly letters = new LetterSource()
  readonly oracle = new LetterOracle()
  readonly #violations = new Map<string, ChaosViolation>()
  #losses: LetterLosses = { vanished: [], undone: [], movedAway: [], withBlock: [] }
  /** Where the run is, for whoever reads of a violation. */
  place = 'at the start'
  acts = 0

  readonly onViolation = ({ kind, message }: ChaosViolation): void => {
    if (this.#violations.has(kind)) return
    this.#violations.set(kind, new ChaosViolation(kind, `${this.place}: ${message}`))
  }

  report(): RunReport {
    const { writtenCount } = this.oracle
    return {
      ...this.#losses,
      violations: [...this.#violations.values()],
      lettersWritten: writtenCount,
      acts: this.acts,
    }
  }

  /** Once everything has reached everybody: all have the same Yjs state and show the same, and no letter is lost. */
  checkEnd(writers: readonly ComparedWriter[], subject: EditorSubject): void {
    this.place = 'at the end'
    const first = writers[0]!.doc
    const expected = { state: Y.snapshot(first), shown: subject.readShown(first) }
    for (const writer of writers) this.#compare(writer, subject, expected)
    this.#losses = this.oracle.findLosses(countStoredLetters(first))
    this.#reportLost('letters vanished', this.#losses.vanished)
    this.#reportLost("undo deletes somebody else's letters", this.#losses.undone)
  }

  #compare(
    { name, doc, shown }: ComparedWriter,
    subject: EditorSubject,
    expected: { readonly state: Y.Snapshot; readonly shown: Node },
  ): void {
    const report = (kind: string, details = ''): void =>
      this.onViolation(new ChaosViolation(kind, `${name} ${details}`))
    if (doc.store.pendingStructs || doc.store.pendingDs) report('structs are pending')
    if (!Y.equalSnapshots(Y.snapshot(doc), expected.state)) report('states differ')
    // What a stock client has just written is still an object of its editor, and not yet what a page gets.
    const reading = subject.readShown(shown ? doc : copyOf(doc))
    if (!reading.eq(expected.shown)) report('documents differ', differenceOf(reading, expected.shown))
    if (shown && !shown.eq(expected.shown)) report('screens differ', differenceOf(shown, expected.shown))
  }

  #reportLost(kind: string, letters: readonly string[]): void {
    if (letters.length === 0) return
    const details = letters.map((letter) => this.oracle.describe(letter)).join('\n')
    this.onViolation(new ChaosViolation(kind, details))
  }
}

function copyOf(doc: Y.Doc): Y.Doc {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  return copy
}
