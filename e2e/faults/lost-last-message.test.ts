import { expect, test } from 'vitest'
import { openDocument } from '../../lib/client.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { testedTransports } from '../fixtures/transport-routes.ts'
import { HttpProxy } from '../fixtures/http-proxy.ts'

const httpTransports = testedTransports.filter((transport) => transport !== 'websocket')

test.concurrent.each(httpTransports)(
  '[S2] the last acknowledgement before a silence is lost on its way down, %s: the loss is noticed',
  async (transport) => {
    await using server = await RealServer.start()
    await using proxy = await HttpProxy.startBefore(server, 'http')
    const { id, tokens } = await server.createDocument()
    const window = openDocument({ url: proxy.origin, document: id, token: tokens.editor, transport })
    try {
      await window.whenSynced
      let dropped = 0
      proxy.setFaults({ choosePieceOutcome: () => (dropped++ < 3 ? 'dropped' : 'passes') })
      window.doc.getText('title').insert(0, 'x')
      await waitUntil(() => window.status.get().unsaved === 0, 'the acknowledgement')
      expect(dropped).toBeGreaterThan(3)
    } finally {
      await window.close()
    }
  },
  90_000,
)

test.concurrent.each(httpTransports)(
  '[S2] the last change before a silence is lost on its way to a reader, %s: the loss is noticed',
  async (transport) => {
    await using server = await RealServer.start()
    await using proxy = await HttpProxy.startBefore(server, 'http')
    const { id, tokens } = await server.createDocument()
    const open = (url: string) =>
      openDocument({ url, document: id, token: tokens.editor, transport, insecure: true })
    const [writer, reader] = [open(server.origin('http')), open(proxy.origin)]
    try {
      await Promise.all([writer.whenSynced, reader.whenSynced])
      let dropped = 0
      proxy.setFaults({ choosePieceOutcome: () => (dropped++ < 1 ? 'dropped' : 'passes') })
      writer.doc.getText('title').insert(0, 'x')
      await waitUntil(() => reader.doc.getText('title').toJSON() === 'x', 'the change')
      expect(dropped).toBeGreaterThan(1)
    } finally {
      await Promise.all([writer.close(), reader.close()])
    }
  },
  90_000,
)
