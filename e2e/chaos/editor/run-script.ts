/** Plays a script in one process, over a network of its own. */
import * as Y from 'yjs'
import { ChaosViolation, describeError } from './chaos-violation.ts'
import { ChaosWriter } from './chaos-writer.ts'
import { Choices } from './choices.ts'
import type { EditorSubject } from './editor-subject.ts'
import { RunRecord, type RunReport } from './run-record.ts'
import { type Script, type ScriptStep, describeStep, nameOfWriter } from './script.ts'
import { SimulatedNetwork } from './simulated-network.ts'
import { writeStart } from './start-text.ts'

/** Where receiving writes nothing, the first round leaves nothing to deliver. */
const MAX_ROUNDS = 20

export function runScript(script: Script, subject: EditorSubject): RunReport {
  const run = new ScriptRun(script, subject)
  try {
    run.play()
  } catch (error) {
    run.record.onViolation(new ChaosViolation('throws', describeError(error)))
  }
  return run.record.report()
}

class ScriptRun {
  readonly record = new RunRecord()
  readonly #script: Script
  readonly #subject: EditorSubject
  readonly #network: SimulatedNetwork
  readonly #writers: ChaosWriter[] = []
  /** What each writer has on its device, in the order in which it came. */
  readonly #stored: Uint8Array[][] = []
  #clientIds = 0

  constructor(script: Script, subject: EditorSubject) {
    this.#script = script
    this.#subject = subject
    this.#network = new SimulatedNetwork(script.writers.length)
  }

  play(): void {
    const start = this.#createDoc()
    writeStart(start, this.#script.seed, this.record)
    this.#script.writers.forEach((_kind, index) => {
      this.#stored.push([Y.encodeStateAsUpdate(start)])
      this.#writers.push(this.#open(index))
    })
    this.#script.steps.forEach((step, index) => {
      this.record.place = `step ${index}, ${describeStep(step)}`
      this.#playStep(step)
      this.#checkReceived()
    })
    this.#end()
    for (const writer of this.#writers) writer.close()
  }

  #playStep(step: ScriptStep): void {
    switch (step.type) {
      case 'act':
        this.record.acts += Number(this.#writers[step.by]!.act(step.act, step.numbers))
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

  #open(index: number): ChaosWriter {
    const doc = this.#createDoc()
    Y.applyUpdate(doc, Y.mergeUpdates(this.#stored[index]!), 'network')
    doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local }: Y.Transaction) => {
      if (!local) return
      this.#stored[index]!.push(update)
      this.#network.send(index, update)
    })
    const kind = this.#script.writers[index]!
    return new ChaosWriter(doc, {
      name: nameOfWriter(index, kind),
      kind,
      subject: this.#subject,
      record: this.record,
    })
  }

  #createDoc(): Y.Doc {
    const doc = new Y.Doc()
    doc.clientID = ++this.#clientIds
    return doc
  }

  readonly #receive = (to: number, update: Uint8Array): void => {
    this.#stored[to]!.push(update)
    this.#writers[to]!.receive(update)
  }

  #checkReceived(): void {
    for (const writer of this.#writers) writer.checkReceived()
  }

  #end(): void {
    this.record.place = 'at the end'
    this.#network.heal()
    for (let round = 0; this.#network.isBusy; round++) {
      if (round === MAX_ROUNDS)
        return this.record.onViolation(new ChaosViolation('never rests', `${MAX_ROUNDS} rounds`))
      this.#network.deliverAll(this.#receive)
      this.#checkReceived()
    }
    this.#resync()
    this.record.checkEnd(this.#writers, this.#subject)
  }

  /** Yjs may wait for good where updates came in another order and more than once. A session that notices the gap asks for what it lacks. */
  #resync(): void {
    for (const [to, { doc }] of this.#writers.entries())
      if (doc.store.pendingStructs || doc.store.pendingDs)
        for (const { doc: from } of this.#writers)
          this.#receive(to, Y.encodeStateAsUpdate(from, Y.encodeStateVector(doc)))
    this.#checkReceived()
  }
}
