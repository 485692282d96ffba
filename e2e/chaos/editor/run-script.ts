/** Plays a script in one process, over a network of its own, and checks what must hold. */
import { updateYFragment } from '@tiptap/y-tiptap'
import { Node } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { createSeededRandom } from '../../../lib/fixtures/seeded-random.ts'
import {
  ChaosViolation,
  ChaosWriter,
  describeError,
  differenceOf,
  type WriterOptions,
} from './chaos-writer.ts'
import { Choices } from './choices.ts'
import type { EditorSubject } from './editor-subject.ts'
import { LetterOracle, type LetterLosses } from './letter-oracle.ts'
import { type EditTrace, traceEdit } from './edit-trace.ts'
import { countStoredLetters, LetterSource } from './letters.ts'
import { randomBlocks } from './random-blocks.ts'
import { type Script, type ScriptStep, describeStep } from './script.ts'
import { SimulatedNetwork } from './simulated-network.ts'
import { stockSchema } from './stock-client.ts'

export interface RunReport extends LetterLosses {
  /** The first of each kind. */
  readonly violations: readonly ChaosViolation[]
  readonly lettersWritten: number
  readonly acts: number
}

const AUTHOR_OF_START = 'start'
/** Where receiving writes nothing, the first round leaves nothing to deliver. */
const MAX_ROUNDS = 20

export function runScript(script: Script, subject: EditorSubject): RunReport {
  const run = new ScriptRun(script, subject)
  try {
    run.play()
  } catch (error) {
    run.onViolation(new ChaosViolation('throws', describeError(error)))
  }
  return run.report()
}

class ScriptRun {
  readonly #script: Script
  readonly #subject: EditorSubject
  readonly #letters = new LetterSource()
  readonly #oracle = new LetterOracle()
  readonly #network: SimulatedNetwork
  readonly #writers: ChaosWriter[] = []
  /** What each writer has on its device, in the order in which it came. */
  readonly #stored: Uint8Array[][] = []
  readonly #violations = new Map<string, ChaosViolation>()
  #place = 'at the start'
  #clientIds = 0
  #acts = 0

  constructor(script: Script, subject: EditorSubject) {
    this.#script = script
    this.#subject = subject
    this.#network = new SimulatedNetwork(script.writers.length)
  }

  play(): void {
    const start = this.#writeStart()
    this.#script.writers.forEach((_kind, index) => {
      this.#stored.push([start])
      this.#writers.push(this.#open(index))
    })
    this.#script.steps.forEach((step, index) => {
      this.#place = `step ${index}, ${describeStep(step)}`
      this.#playStep(step)
      for (const writer of this.#writers) writer.checkReceived()
    })
    this.#place = 'at the end'
    this.#end()
  }

  report() {
    const losses = this.#writers[0]
      ? this.#oracle.findLosses(countStoredLetters(this.#writers[0].doc))
      : noLosses
    for (const writer of this.#writers) writer.close()
    return {
      ...losses,
      violations: [...this.#violations.values()],
      lettersWritten: this.#oracle.writtenCount,
      acts: this.#acts,
    }
  }

  #playStep(step: ScriptStep): void {
    switch (step.type) {
      case 'act':
        this.#acts += Number(this.#writers[step.by]!.act(step.act, step.numbers))
        return
      case 'program':
        return this.#writers[step.by]!.actAsProgram(step.act, step.numbers)
      case 'deliver':
        for (const number of step.numbers) this.#network.deliverOne(new Choices([number]), this.#receive)
        return
      case 'deliver all':
        return this.#network.deliverAll(this.#receive)
      case 'cut':
        return this.#network.cut(step.side)
      case 'heal':
        return this.#network.heal()
      case 'reload':
        this.#writers[step.by]!.close()
        this.#writers[step.by] = this.#open(step.by)
    }
  }

  readonly #receive = (to: number, update: Uint8Array): void => {
    this.#stored[to]!.push(update)
    this.#writers[to]!.receive(update)
  }

  /** As a program would write it, before anybody has an editor. */
  #writeStart(): Uint8Array {
    const random = createSeededRandom(this.#script.seed, 'start')
    const choices = new Choices(Array.from({ length: 300 }, () => random.between(0, 9_999)))
    const blocks = randomBlocks(3 + choices.below(5), { choices, letters: this.#letters })
    const doc = new Y.Doc()
    doc.clientID = ++this.#clientIds
    const before = countStoredLetters(doc)
    const traces: EditTrace[] = []
    doc.on('afterTransaction', (transaction: Y.Transaction) => void traces.push(traceEdit(transaction)))
    const node = Node.fromJSON(stockSchema, { type: 'doc', content: blocks })
    updateYFragment(doc, doc.getXmlFragment('default'), node, { mapping: new Map(), isOMark: new Map() })
    this.#oracle.recordEdit(AUTHOR_OF_START, before, countStoredLetters(doc), traces)
    return Y.encodeStateAsUpdate(doc)
  }

  #open(index: number): ChaosWriter {
    const doc = new Y.Doc()
    doc.clientID = ++this.#clientIds
    Y.applyUpdate(doc, Y.mergeUpdates(this.#stored[index]!), 'network')
    doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local }: Y.Transaction) => {
      if (!local) return
      this.#stored[index]!.push(update)
      this.#network.send(index, update)
    })
    const kind = this.#script.writers[index]!
    const options: WriterOptions = {
      name: `${'abcdefghij'.charAt(index)} (${kind})`,
      kind,
      subject: this.#subject,
      letters: this.#letters,
      oracle: this.#oracle,
      onViolation: this.onViolation,
    }
    return new ChaosWriter(doc, options)
  }

  readonly onViolation = ({ kind, message }: ChaosViolation): void => {
    if (!this.#violations.has(kind))
      this.#violations.set(kind, new ChaosViolation(kind, `${this.#place}: ${message}`))
  }

  #end(): void {
    this.#network.heal()
    for (let round = 0; this.#network.isBusy; round++) {
      if (round === MAX_ROUNDS)
        return this.onViolation(new ChaosViolation('never rests', `${MAX_ROUNDS} rounds`))
      this.#network.deliverAll(this.#receive)
      for (const writer of this.#writers) writer.checkReceived()
    }
    for (const violation of findDifferences(this.#writers, this.#subject)) this.onViolation(violation)
    const { vanished, undone } = this.#oracle.findLosses(countStoredLetters(this.#writers[0]!.doc))
    this.#reportLost('letters vanished', vanished)
    this.#reportLost("undo deletes somebody else's letters", undone)
  }

  #reportLost(kind: string, letters: readonly string[]): void {
    if (letters.length === 0) return
    const details = letters.map((letter) => this.#oracle.describe(letter)).join('\n')
    this.onViolation(new ChaosViolation(kind, details))
  }
}

const noLosses: LetterLosses = { vanished: [], undone: [], movedAway: [], withBlock: [] }

/** All have the same Yjs state, and show the same. */
function findDifferences(writers: readonly ChaosWriter[], subject: EditorSubject): ChaosViolation[] {
  const [first] = writers.map(({ doc }) => doc)
  const state = Y.snapshot(first!)
  const shown = subject.readShown(first!)
  return writers.flatMap((writer) => {
    const { doc, name } = writer
    const violation = (kind: string, details = ''): ChaosViolation =>
      new ChaosViolation(kind, `${name} ${details}`)
    // What a stock client has just written is still an object of its editor, and not yet what a page gets.
    const reading = subject.readShown(writer.shown ? doc : copyOf(doc))
    return [
      ...(doc.store.pendingStructs || doc.store.pendingDs ? [violation('structs are pending')] : []),
      ...(Y.equalSnapshots(Y.snapshot(doc), state) ? [] : [violation('states differ')]),
      ...(reading.eq(shown) ? [] : [violation('documents differ', differenceOf(reading, shown))]),
      ...(!writer.shown || writer.shown.eq(shown)
        ? []
        : [violation('screens differ', differenceOf(writer.shown, shown))]),
    ]
  })
}

function copyOf(doc: Y.Doc): Y.Doc {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  return copy
}
