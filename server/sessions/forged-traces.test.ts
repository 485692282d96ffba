/** Traces that a stranger's window sends, without lib/latency. */
import { describe, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import {
  type EditStamp,
  encodeLatencyMessage,
  type LatencyMessage,
  readLatencyMessage,
} from '../../lib/latency/latency-messages.ts'
import type { EditTimeline } from '../../lib/latency/latency-state.ts'
import { adaLooksAtBob, type LatencyWindow } from './fixtures/latency-windows.ts'
import { textOf, type } from './fixtures/session-fixture.ts'

describe('[A6] a trace from a stranger', () => {
  /** Sends a message as the window's own program could. */
  const forge = ({ window }: LatencyWindow, message: LatencyMessage): void =>
    window.handle.mainPart.provider.sendTrace(0, encodeLatencyMessage(message))

  async function withStranger(): Promise<{
    ada: LatencyWindow
    bob: LatencyWindow
    stamp(): Promise<EditStamp>
  }> {
    const [ada, bob] = await adaLooksAtBob()
    const { provider } = bob.window.handle.mainPart
    const receivedStamps: EditStamp[] = []
    provider.onTrace = (_from, bytes) => {
      const message = readLatencyMessage(bytes)
      if (message?.type === 'stamp') receivedStamps.push(message)
    }
    const stamp = async (): Promise<EditStamp> => {
      type(ada.window, 'a')
      const before = receivedStamps.length
      await waitUntil(() => receivedStamps.length > before)
      return receivedStamps.at(-1)!
    }
    return { ada, bob, stamp }
  }

  const honest = { applied: 0.1, painted: 5, path: 'server' } as const
  const offset = { ms: 0, boundMs: 1 }

  test('counts for nothing if it is of edits that were never made, of another opening, or at impossible times', async () => {
    const { ada, bob, stamp } = await withStranger()
    const { opening, edit } = await stamp()
    const now = ada.page.now()
    const rows = (received: number, of = edit) => [{ edit: of, received, ...honest }]
    forge(bob, { type: 'report', opening, offset, rows: rows(now, edit + 1_000) })
    forge(bob, { type: 'report', opening: opening + 1, offset, rows: rows(now) })
    forge(bob, { type: 'report', opening, offset, rows: rows(now - 60_000) })
    forge(bob, { type: 'report', opening, offset, rows: rows(now + 7_200_000) })
    forge(bob, { type: 'report', opening, offset: null, rows: rows(now) })
    forge(bob, { type: 'summary', summary: '{"id":"x"}' })
    forge(bob, {
      type: 'identity',
      window: ada.page.window,
      browser: ada.page.browser,
      name: 'me',
      device: 'mine',
    })
    // The last trace is honest, and all before it have been received.
    const last = { ...rows(ada.page.now())[0]!, applied: 0.5 }
    forge(bob, { type: 'report', opening, offset, rows: [last] })
    await waitUntil(() => ada.latency.get().windows[0]!.received.count === 1)
    await waitUntil(() => ada.latency.timelines()[0]!.arrivals.length > 0)
    const [{ received, applied }] = ada.latency.timelines()[0]!.arrivals as [EditTimeline['arrivals'][number]]
    expect(applied - received).toBeCloseTo(0.5)
    expect(ada.latency.timelines()[0]!.arrivals).toMatchObject([
      { applied: expect.any(Number), path: 'server' },
    ])
    expect(ada.latency.timelines()[0]!.arrivals[0]!.received).toBeLessThan(10_000)
    expect(ada.latency.get().receivedSummaries).toEqual([])
    expect(ada.latency.get().windows).toMatchObject([{ own: false }])
  })

  test('counts once if it comes twice for one edit', async () => {
    const { ada, bob, stamp } = await withStranger()
    const { opening, edit } = await stamp()
    const row = { edit, received: ada.page.now(), ...honest }
    for (let time = 0; time < 3; time++) forge(bob, { type: 'report', opening, offset, rows: [row, row] })
    const next = await stamp()
    forge(bob, {
      type: 'report',
      opening,
      offset,
      rows: [{ ...row, edit: next.edit, received: ada.page.now() }],
    })
    await waitUntil(() => ada.latency.timelines()[1]!.arrivals.length === 1)
    expect(ada.latency.timelines()[0]!.arrivals.length).toBe(1)
    expect(ada.latency.get().windows[0]!.received.count).toBe(2)
  })

  test('gets no answer if its text has not arrived, since nobody saw it', async () => {
    const { ada, bob } = await withStranger()
    const answers: LatencyMessage[] = []
    bob.window.handle.mainPart.provider.onTrace = (_from, bytes) =>
      void answers.push(readLatencyMessage(bytes)!)
    type(bob.window, 'b')
    await bob.window.whenSaved()
    await waitUntil(() => textOf(ada.window) === 'b')
    forge(bob, { type: 'stamp', opening: 7, edit: 1, clock: 1_000 })
    forge(bob, { type: 'stamp', opening: 7, edit: 2, clock: 1 })
    await waitUntil(() => answers.some(({ type: kind }) => kind === 'report'))
    const rows = answers.flatMap((answer) => (answer.type === 'report' ? answer.rows : []))
    expect(rows.map(({ edit }) => edit)).toEqual([2])
  })
})
