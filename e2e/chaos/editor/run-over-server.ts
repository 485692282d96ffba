/** Plays a script over a real server: each writer on a transport of its own, behind a proxy that cuts its connections. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as Y from 'yjs'
import type { OpenDocument } from '../../../lib/client.ts'
import { waitUntil } from '../../../lib/fixtures/wait.ts'
import { allRoutes, type RealServer, type TransportRoute } from '../../../server/fixtures/real-server.ts'
import { openSharedDocument, type SharedDocument } from '../../../server/fixtures/shared-document.ts'
import { FaultProxy } from '../../fixtures/fault-proxy.ts'
import { ChaosWriter } from './chaos-writer.ts'
import type { EditorSubject } from './editor-subject.ts'
import { RunRecord, type RunReport } from './run-record.ts'
import { describeStep, nameOfWriter, type Script, type ScriptStep, type WriterKind } from './script.ts'
import { writeStart } from './start-text.ts'

const MAX_JITTER_MS = 10
/** While a step delivers, updates travel for so long (ms). */
const DELIVERY_MS = 4

export async function runOverServer(
  script: Script,
  subject: EditorSubject,
  server: RealServer,
): Promise<RunReport> {
  await using run = await ServerRun.open(script, subject, server)
  await run.play()
  return run.record.report()
}

interface ServerWriter {
  readonly window: OpenDocument
  readonly writer: ChaosWriter
}

class ServerRun implements AsyncDisposable {
  readonly record = new RunRecord()
  readonly #script: Script
  readonly #subject: EditorSubject
  readonly #server: RealServer
  readonly #document: SharedDocument
  readonly #routes: readonly TransportRoute[]
  readonly #proxies: readonly FaultProxy[]
  readonly #open: ServerWriter[] = []

  static async open(script: Script, subject: EditorSubject, server: RealServer): Promise<ServerRun> {
    const document = await server.createDocument()
    const routes = script.writers.map((_kind, index) => allRoutes[(script.seed + index) % allRoutes.length]!)
    const proxies = await Promise.all(routes.map(({ scheme }) => listenBefore(server.origin(scheme))))
    return new ServerRun(script, subject, server, document, routes, proxies)
  }

  private constructor(
    script: Script,
    subject: EditorSubject,
    server: RealServer,
    document: SharedDocument,
    routes: readonly TransportRoute[],
    proxies: readonly FaultProxy[],
  ) {
    this.#script = script
    this.#subject = subject
    this.#server = server
    this.#document = document
    this.#routes = routes
    this.#proxies = proxies
  }

  async play(): Promise<void> {
    await this.#writeStart()
    for (const index of this.#script.writers.keys()) this.#open[index] = this.#openWriter(index)
    await Promise.all(this.#open.map(({ window }) => window.whenSynced))
    for (const [index, step] of this.#script.steps.entries()) {
      this.record.place = `step ${index}, ${describeStep(step)}`
      await this.#playStep(step)
      for (const { writer } of this.#open) writer.checkRest('receiving')
    }
    await this.#end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { writer } of this.#open) writer.close()
    await Promise.all(this.#open.map(({ window }) => window.close()))
    await Promise.all(this.#proxies.map((proxy) => proxy.close()))
  }

  async #writeStart(): Promise<void> {
    const window = openSharedDocument(this.#server.origin('http'), this.#document, 'websocket')
    await window.whenSynced
    writeStart(window.doc, this.#script.seed, this.record)
    await window.whenSaved()
    await window.close()
  }

  #openWriter(index: number): ServerWriter {
    const kind = this.#script.writers[index]!
    const { transport, scheme } = this.#routes[index]!
    const url = `${scheme}://localhost:${this.#proxies[index]!.port}`
    const window = openSharedDocument(url, this.#document, transport, tokenOf(kind))
    const name = `${nameOfWriter(index, kind)} by ${transport} over ${scheme}`
    const options = { name, kind, subject: this.#subject, record: this.record }
    return { window, writer: new ChaosWriter(window.doc, options) }
  }

  async #playStep(step: ScriptStep): Promise<void> {
    switch (step.type) {
      case 'act':
        this.record.acts += Number(this.#open[step.by]!.writer.act(step.act, step.numbers))
        return
      case 'program':
        return this.#open[step.by]!.writer.actAsProgram(step.act, step.numbers)
      case 'deliver':
        await sleep(DELIVERY_MS)
        return
      case 'deliver all':
        await sleep(10 * DELIVERY_MS)
        return
      case 'cut':
        this.#proxies.forEach((proxy, index) => {
          if ((step.side >> index) & 1) proxy.cutConnections()
        })
        return
      case 'heal':
        return
      case 'reload':
        await this.#reload(step.by)
    }
  }

  /** Nothing is kept on a device here: what is not saved would go with the window. */
  async #reload(index: number): Promise<void> {
    const { window, writer } = this.#open[index]!
    if (writer.kind !== 'viewer') await window.whenSaved()
    writer.close()
    await window.close()
    this.#open[index] = this.#openWriter(index)
    await this.#open[index].window.whenSynced
  }

  async #end(): Promise<void> {
    this.record.place = 'at the end'
    const mayWrite = this.#open.filter(({ writer }) => writer.kind !== 'viewer')
    // A stock client may answer what it receives.
    await waitUntil(async () => {
      await Promise.all(mayWrite.map(({ window }) => window.whenSaved()))
      return this.#areEqual()
    }, 'equality of all replicas')
    const writers = this.#open.map(({ writer }) => writer)
    for (const writer of writers) writer.checkRest('the end')
    this.record.checkEnd(writers, this.#subject)
  }

  #areEqual(): boolean {
    const [first, ...others] = this.#open.map(({ window }) => Y.snapshot(window.doc))
    return others.every((snapshot) => Y.equalSnapshots(snapshot, first!))
  }
}

const tokenOf = (kind: WriterKind): keyof SharedDocument['tokens'] =>
  kind === 'viewer' ? 'viewer' : 'editor'

async function listenBefore(origin: string): Promise<FaultProxy> {
  const proxy = await FaultProxy.listen()
  proxy.targetPort = Number(new URL(origin).port)
  proxy.setFaults({ jitterMs: MAX_JITTER_MS })
  return proxy
}
