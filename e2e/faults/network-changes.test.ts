import { describe, expect, test } from 'vitest'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { HttpFaults } from '../fixtures/http-faults.ts'
import { HttpProxy, type ProxyProtocol } from '../fixtures/http-proxy.ts'

interface ChoiceFixture extends AsyncDisposable {
  readonly proxy: HttpProxy
  readonly window: OpenDocument
  /** Another window, whose route has no fault. */
  readonly directWindow: OpenDocument
}

async function openFixture(
  protocol: ProxyProtocol,
  faults: Partial<HttpFaults> = {},
): Promise<ChoiceFixture> {
  const server = await RealServer.start()
  const proxy = await HttpProxy.startBefore(server, protocol)
  proxy.setFaults(faults)
  const { id, tokens } = await server.createDocument()
  const openWindow = (url: string) =>
    openDocument({ url, document: id, token: tokens.editor, insecure: true })
  const [window, directWindow] = [openWindow(proxy.origin), openWindow(server.origin('https'))]
  await Promise.all([window.whenSynced, directWindow.whenSynced])
  return {
    proxy,
    window,
    directWindow,
    async [Symbol.asyncDispose]() {
      await Promise.all([window.close(), directWindow.close()])
      await proxy[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

const transportInUse = ({ window }: ChoiceFixture): string | undefined => window.transport?.transport

const waitForTransport = (fixture: ChoiceFixture, transport: string): Promise<void> =>
  waitUntil(() => transportInUse(fixture) === transport, `${transport} in use`)

const findingsByTransport = ({ window }: ChoiceFixture): Record<string, string> =>
  Object.fromEntries(window.status.get().evidence.map(({ transport, words }) => [transport, words]))

/** Checks that what either window types is saved, and reaches the other one, once. */
async function expectBothReceive({ window, directWindow }: ChoiceFixture, word: string): Promise<void> {
  const texts = [window, directWindow].map(({ doc }) => doc.getText('words'))
  texts.forEach((text, index) => text.insert(0, `${word}${index} `))
  await Promise.all([window.whenSaved(), directWindow.whenSaved()])
  const isThereOnce = (text: string): boolean =>
    text.split(`${word}0 `).length === 2 && text.split(`${word}1 `).length === 2
  await waitUntil(() => texts.every((text) => isThereOnce(text.toJSON())), `both to hear ${word}`)
  expect(texts[0]!.toJSON()).toBe(texts[1]!.toJSON())
}

describe.concurrent('[S5] the network turns bad, and good again', () => {
  test('while Upgrade is refused another transport is used, and WebSocket once it is accepted', async () => {
    await using fixture = await openFixture('h2', { upgrade: 'refused' })
    expect(findingsByTransport(fixture)).toMatchObject({ websocket: 'refused (403)', sse: 'in use' })
    await expectBothReceive(fixture, 'refused')
    fixture.proxy.heal()
    const { links } = fixture.window.stats()
    await waitForTransport(fixture, 'websocket')
    expect(findingsByTransport(fixture)).toMatchObject({ websocket: 'in use', sse: 'worked' })
    expect(fixture.window.stats()).toMatchObject({ links: links + 1, longestGapMs: 0 })
    await expectBothReceive(fixture, 'healed')
    fixture.proxy.setFaults({ upgrade: 'refused' })
    fixture.proxy.cutConnections()
    await waitForTransport(fixture, 'sse')
    await expectBothReceive(fixture, 'again')
  }, 60_000)

  test('once answers are buffered, after earlier success, long polling is used', async () => {
    await using fixture = await openFixture('http', { upgrade: 'refused' })
    expect(transportInUse(fixture)).toBe('sse')
    fixture.proxy.setFaults({ bufferAnswers: true })
    fixture.proxy.cutConnections()
    await waitForTransport(fixture, 'long-poll')
    await expectBothReceive(fixture, 'held')
  }, 60_000)

  test('where uploads are buffered from the start, single requests carry them', async () => {
    await using fixture = await openFixture('h2', { upgrade: 'refused', bufferBodies: true })
    expect(transportInUse(fixture)).toBe('sse')
    await expectBothReceive(fixture, 'held')
    expect(fixture.window.transport).toMatchObject({ transport: 'sse', up: 'batched posts' })
  }, 60_000)
})
