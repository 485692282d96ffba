/** Runs Diptych as a process, with proxies in front of it. The clients are in this process, so that they have one clock. */
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import type { TransportChoice } from '../../lib/transports/choose-transport.ts'
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import { FaultProxy } from '../../e2e/fixtures/fault-proxy.ts'
import { HttpProxy } from '../../e2e/fixtures/http-proxy.ts'
import type { Scope } from '../support/context.ts'
import { diptych } from '../support/server.ts'

export type ProxiedServer = Awaited<ReturnType<typeof startProxiedServer>>

export async function startProxiedServer(scope: Scope) {
  /** The TCP proxies of the plain port and of the TLS port. */
  const wires = { http: await FaultProxy.listen(), https: await FaultProxy.listen() }
  /** The HTTP proxy, which ends TLS and speaks HTTP/1.1 with the server. */
  const gate = await HttpProxy.listen('h2')
  const close = () => Promise.all([wires.http.close(), wires.https.close(), gate[Symbol.asyncDispose]()])
  scope.defer(async () => void (await close()))
  const origins = {
    http: `http://localhost:${wires.http.port}`,
    https: `https://localhost:${wires.https.port}`,
    gate: gate.origin,
  }
  const env = { ALLOWED_ORIGINS: Object.values(origins).join(',') }
  const server = await scope.startServer(diptych({ env }))
  const portOf = (origin: string): number => Number(new URL(origin).port)
  wires.http.targetPort = gate.targetPort = portOf(server.plainOrigin)
  wires.https.targetPort = portOf(server.origin)
  return {
    wires,
    gate,
    newDocument: (): Promise<SharedDocument> => createSharedDocument(server.plainOrigin),
    open: (
      { id, tokens }: SharedDocument,
      by: keyof typeof origins,
      transport: TransportChoice,
    ): OpenDocument =>
      openDocument({ url: origins[by], document: id, token: tokens.editor, transport, insecure: true }),
  }
}

/** Returns the moment from which the condition holds. */
export async function waitForStatus(
  opened: OpenDocument,
  condition: (opened: OpenDocument) => boolean,
): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const check = (): void => void (condition(opened) && resolve(performance.now()))
  const stop = opened.status.subscribe(check)
  check()
  return promise.finally(stop)
}

export const isUp = ({ status }: OpenDocument): boolean => status.get().link.state === 'up'

export const isSynced = ({ status }: OpenDocument): boolean => status.get().document.state === 'synced'
