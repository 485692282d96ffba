/** The program as a process of its own, and the proxies in front of it. Clients are this process: one clock for all of them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import type { TransportChoice } from '../../lib/transports/choose.ts'
import { ready, startProgram } from '../../server/fixtures/program.ts'
import { makeDocument, type SharedDocument } from '../../server/fixtures/real-server.ts'
import { FaultProxy } from '../../e2e/support/fault-proxy.ts'
import { HttpProxy } from '../../e2e/support/http-proxy.ts'

export class World implements AsyncDisposable {
  /** In front of the plain port and of the TLS port: delay, cuts, and every byte counted. */
  readonly wires: { readonly http: FaultProxy; readonly https: FaultProxy }
  /** Reads HTTP: ends TLS, speaks HTTP/1.1 with the server. */
  readonly gate: HttpProxy
  readonly #direct: { readonly http: string; readonly https: string }
  readonly #end: () => Promise<void>

  private constructor(parts: {
    wires: World['wires']
    gate: HttpProxy
    direct: { http: string; https: string }
    end: () => Promise<void>
  }) {
    this.wires = parts.wires
    this.gate = parts.gate
    this.#direct = parts.direct
    this.#end = parts.end
  }

  static async start(): Promise<World> {
    const wires = { http: await FaultProxy.listen(), https: await FaultProxy.listen() }
    const gate = await HttpProxy.listen('h2')
    const folder = await mkdtemp(join(tmpdir(), 'diptych-bench-'))
    const faulty = [`http://localhost:${wires.http.port}`, `https://localhost:${wires.https.port}`]
    const program = startProgram({ DATA_DIR: folder, ALLOWED_ORIGINS: [...faulty, gate.origin].join(',') })
    const end = async (): Promise<void> => {
      program.process.kill('SIGTERM')
      await program.ended
      await Promise.all([wires.http.close(), wires.https.close(), gate[Symbol.asyncDispose]()])
      await rm(folder, { recursive: true, force: true })
    }
    const direct = await ready(program)
    wires.http.targetPort = gate.targetPort = Number(new URL(direct.http).port)
    wires.https.targetPort = Number(new URL(direct.https).port)
    return new World({ wires, gate, direct, end })
  }

  newDocument(): Promise<SharedDocument> {
    return makeDocument(this.#direct.http)
  }

  open(
    { id, tokens }: SharedDocument,
    by: 'http' | 'https' | 'gate',
    transport: TransportChoice,
  ): OpenDocument {
    const url = by === 'gate' ? this.gate.origin : `${by}://localhost:${this.wires[by].port}`
    return openDocument({ url, document: id, token: tokens.editor, transport, insecure: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }
}

/** Resolves to the moment at which it held first. */
export function moment({ status }: OpenDocument, holds: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    const look = (): boolean => {
      if (!holds()) return false
      resolve(performance.now())
      return true
    }
    if (look()) return
    const stop = status.subscribe(() => look() && stop())
  })
}

export const isUp = ({ status }: OpenDocument): boolean => status.get().link.state === 'up'

export const isSynced = ({ status }: OpenDocument): boolean => status.get().document.state === 'synced'
