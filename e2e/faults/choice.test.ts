import { describe, expect, test } from 'vitest'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { comesToHold } from '../chaos/rest.ts'
import type { HttpFaults } from '../support/http-faults.ts'
import { HttpProxy, type Speaks } from '../support/http-proxy.ts'

interface Stage extends AsyncDisposable {
  readonly proxy: HttpProxy
  readonly window: OpenDocument
  /** Another window, whose way has no fault. */
  readonly other: OpenDocument
}

async function stage(speaks: Speaks, faults: Partial<HttpFaults> = {}): Promise<Stage> {
  const server = await RealServer.start()
  const proxy = await HttpProxy.listen(speaks)
  proxy.targetPort = Number(new URL(server.origin('http')).port)
  proxy.set(faults)
  const { id, tokens } = await server.newDocument()
  const open = (url: string) => openDocument({ url, document: id, token: tokens.editor, insecure: true })
  const [window, other] = [open(proxy.origin), open(server.origin('https'))]
  await Promise.all([window.whenSynced, other.whenSynced])
  return {
    proxy,
    window,
    other,
    async [Symbol.asyncDispose]() {
      await Promise.all([window.close(), other.close()])
      await proxy[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

const inUse = ({ window }: Stage): string | undefined => window.transport?.transport

const comesToUse = (on: Stage, transport: string): Promise<void> =>
  comesToHold(`${transport} in use`, () => inUse(on) === transport)

const wordsOn = ({ window }: Stage): Record<string, string> =>
  Object.fromEntries(window.status.get().evidence.map(({ transport, words }) => [transport, words]))

/** What either window types is saved, and comes to the other one, once. */
async function bothHear({ window, other }: Stage, word: string): Promise<void> {
  const texts = [window, other].map(({ doc }) => doc.getText('words'))
  texts.forEach((text, index) => text.insert(0, `${word}${index} `))
  await Promise.all([window.whenSaved(), other.whenSaved()])
  const once = (text: string): boolean =>
    text.split(`${word}0 `).length === 2 && text.split(`${word}1 `).length === 2
  await comesToHold(`both to hear ${word}`, () => texts.every((text) => once(text.toJSON())))
  expect(texts[0]!.toJSON()).toBe(texts[1]!.toJSON())
}

describe.concurrent('[S5] the network turns bad, and good again', () => {
  test('Upgrade refused: another transport; once that is over, WebSocket; refused again: the other', async () => {
    await using on = await stage('h2', { upgrade: 'refused' })
    expect(wordsOn(on)).toMatchObject({ websocket: 'refused (403)', sse: 'in use' })
    await bothHear(on, 'refused')
    on.proxy.heal()
    const { links } = on.window.stats()
    await comesToUse(on, 'websocket')
    expect(wordsOn(on)).toMatchObject({ websocket: 'in use', sse: 'worked' })
    expect(on.window.stats()).toMatchObject({ links: links + 1, longestGapMs: 0 })
    await bothHear(on, 'healed')
    on.proxy.set({ upgrade: 'refused' })
    on.proxy.cut()
    await comesToUse(on, 'sse')
    await bothHear(on, 'again')
  }, 60_000)

  test('answers held back after earlier success: long polling', async () => {
    await using on = await stage('http', { upgrade: 'refused' })
    expect(inUse(on)).toBe('sse')
    on.proxy.set({ holdAnswers: true })
    on.proxy.cut()
    await comesToUse(on, 'long-poll')
    await bothHear(on, 'held')
  }, 60_000)

  test('uploads held back from the first on: single requests carry them', async () => {
    await using on = await stage('h2', { upgrade: 'refused', holdBodies: true })
    expect(inUse(on)).toBe('sse')
    await bothHear(on, 'held')
    expect(on.window.transport).toMatchObject({ transport: 'sse', up: 'batched posts' })
  }, 60_000)
})
