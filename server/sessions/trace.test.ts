import { describe, expect, test } from 'vitest'
import { textOf, type, type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

interface ReceivedTrace {
  readonly from: number
  readonly text: string
}

const utf8 = new TextEncoder()

function collectTraces(window: FixtureWindow, note: () => string = () => ''): ReceivedTrace[] {
  const received: ReceivedTrace[] = []
  window.handle.mainPart.provider.onTrace = (from, bytes) =>
    void received.push({ from, text: new TextDecoder().decode(bytes) + note() })
  return received
}

const sendTrace = (window: FixtureWindow, text: string, to?: FixtureWindow): void =>
  window.handle.mainPart.provider.sendTrace(to?.doc.clientID ?? 0, utf8.encode(text))

/** All windows see each other. */
async function openWindows(fixture: SessionFixture, ...names: string[]): Promise<FixtureWindow[]> {
  const opened = names.map((name) =>
    fixture.openWindow(name, { role: name === 'reader' ? 'viewer' : 'editor' }),
  )
  await Promise.all(opened.map(({ whenSynced }) => whenSynced))
  for (const window of opened) await waitUntil(() => window.awareness.getStates().size === names.length)
  return opened
}

const texts = (received: readonly ReceivedTrace[]): string[] => received.map(({ text }) => text)

describe('[L1] traces', () => {
  test('reach everybody else, or one, under the client id that presence gives their window', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob, eve] = await openWindows(fixture, 'ada', 'bob', 'eve')
    const [atAda, atBob, atEve] = [ada!, bob!, eve!].map((window) => collectTraces(window))
    sendTrace(ada!, 'to all')
    sendTrace(ada!, 'to bob', bob)
    sendTrace(ada!, 'to nobody', { doc: { clientID: 1 } } as FixtureWindow)
    sendTrace(ada!, 'to herself', ada)
    sendTrace(ada!, 'the last')
    await waitUntil(() => atBob!.length === 3 && atEve!.length === 2)
    expect(texts(atBob!)).toEqual(['to all', 'to bob', 'the last'])
    expect(texts(atEve!)).toEqual(['to all', 'the last'])
    expect(atAda).toEqual([])
    expect(new Set(atBob!.map(({ from }) => from))).toEqual(new Set([ada!.doc.clientID]))
  })

  test('can be sent by a reader too', async () => {
    const fixture = await SessionFixture.open()
    const [ada, reader] = await openWindows(fixture, 'ada', 'reader')
    const received = collectTraces(ada!)
    sendTrace(reader!, 'seen')
    await waitUntil(() => received.length === 1)
  })

  test('[D1] come after the edit that they are about, however long its commit takes', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob, eve] = await openWindows(fixture, 'ada', 'bob', 'eve')
    const received = collectTraces(bob!, () => `, text: ${textOf(bob!)}`)
    fixture.store.hold()
    type(ada!, 'a')
    sendTrace(ada!, 'a stamp')
    sendTrace(eve!, 'meanwhile')
    await waitUntil(() => received.length > 0)
    fixture.store.release()
    await waitUntil(() => received.length === 2)
    expect(texts(received)).toEqual(['meanwhile, text: ', 'a stamp, text: a'])
  })

  test('[A6] are limited in a flood; their author stays, and its edits are saved', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openWindows(fixture, 'ada', 'bob')
    const received = collectTraces(bob!)
    const began = performance.now()
    for (let sentCount = 0; sentCount < 1_000; sentCount++) {
      sendTrace(ada!, String(sentCount))
      if (sentCount % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    type(ada!, 'still here')
    await waitUntil(() => textOf(bob!) === 'still here')
    expect(received.length).toBeGreaterThan(0)
    const seconds = (performance.now() - began) / 1000
    expect(received.length).toBeLessThanOrEqual(201 + 100 * seconds)
    expect(ada!.status.get().link.state).toBe('up')
  })
})

test('[L2] the server answers a clock request with its time', async () => {
  const fixture = await SessionFixture.open()
  const [ada] = await openWindows(fixture, 'ada')
  const now = (): number => (performance.timeOrigin + performance.now()) * 1000
  const answers: { token: number; micros: number }[] = []
  const nothing = (): void => {}
  ada!.handle.session.observer = {
    onMessages: nothing,
    onSent: nothing,
    onAcknowledged: nothing,
    onRestart: nothing,
    onServerTime: (token, micros) => void answers.push({ token, micros }),
  }
  const asked = now()
  ada!.handle.session.requestServerTime(7)
  await waitUntil(() => answers.length === 1)
  expect(answers[0]!.token).toBe(7)
  expect(answers[0]!.micros).toBeGreaterThanOrEqual(Math.floor(asked))
  expect(answers[0]!.micros).toBeLessThanOrEqual(Math.ceil(now()))
})

test('[L1] a trace comes after its own edit also in a busy room, which sends several edits in one message', async () => {
  const fixture = await SessionFixture.open()
  const crowd = Array.from({ length: 30 }, (_, index) => fixture.openWindow(`guest ${index}`))
  const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob')]
  await Promise.all([...crowd, ada, bob].map(({ whenSynced }) => whenSynced))
  await waitUntil(() => bob.awareness.getStates().has(ada.doc.clientID))
  const received = collectTraces(bob, () => `, text: ${textOf(bob)}`)
  for (let sentCount = 0; sentCount < 150; sentCount++) {
    type(ada, 'x')
    sendTrace(ada, String(sentCount + 1))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await ada.whenSaved()
  await waitUntil(() => received.length > 0 && textOf(bob).length === 150)
  for (const { text } of received) {
    const [, letters, seen] = /^(\d+), text: (x*)$/.exec(text)!
    expect(seen!.length).toBeGreaterThanOrEqual(Number(letters))
  }
})
