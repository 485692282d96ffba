/** What windows measure of their delays, over the real sessions and rooms. */
import { describe, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { EditTimeline } from '../../lib/latency/latency-state.ts'
import { adaLooksAtBob, oneBrowserLooks, typeAndMeasure } from './fixtures/latency-windows.ts'
import { textOf, type } from './fixtures/session-fixture.ts'

const inOrder = (...times: (number | 'hidden' | undefined)[]): boolean =>
  times.every((time, index) => typeof time === 'number' && (index === 0 || time >= Number(times[index - 1])))

describe('[L1] one edit has one timeline', () => {
  test('its stages are key, made, sent, acknowledged, saved; and elsewhere received, applied, painted', async () => {
    const [ada, bob] = await adaLooksAtBob()
    ada.page.key = ada.page.now() - 3
    const [first] = await typeAndMeasure(ada, 'a', 1)
    ada.page.key = undefined
    const rest = await typeAndMeasure(ada, 'bcdef', 1)
    expect(first).toMatchObject({ edit: 1, by: 'input', key: expect.any(Number) })
    expect(first!.made).toBeGreaterThanOrEqual(3)
    expect(rest.map(({ edit, by, made }) => ({ edit, by, made }))).toEqual(
      [2, 3, 4, 5, 6].map((edit) => ({ edit, by: 'program', made: 0 })),
    )
    for (const { made, sent, acknowledged, saved, ownPaint, arrivals } of [first!, ...rest]) {
      expect(inOrder(0, made, sent, acknowledged, saved)).toBe(true)
      expect(inOrder(0, ownPaint)).toBe(true)
      const [{ received, applied, painted, path, boundMs }] = arrivals as [(typeof arrivals)[number]]
      expect(inOrder(0, received, applied, painted)).toBe(true)
      expect(path).toBe('server')
      expect(boundMs).toBeGreaterThan(0)
    }
    expect(ada.latency.get()).toMatchObject({
      own: { saved: { count: 6 }, ownPaint: { count: 6 } },
      windows: [
        { person: 'bob', own: false, name: '', device: '', painted: { count: 6 }, paths: { server: 6 } },
      ],
    })
    expect(textOf(bob.window)).toBe('abcdef')
  })

  test('several edits in one frame have a timeline each', async () => {
    const [ada] = await adaLooksAtBob()
    for (const letter of 'abc') type(ada.window, letter)
    const timelines = await typeAndMeasure(ada, 'd', 1)
    await waitUntil(() => ada.latency.timelines().every(({ arrivals }) => arrivals.length === 1))
    expect(timelines.length).toBe(1)
    expect(ada.latency.timelines().map(({ edit }) => edit)).toEqual([1, 2, 3, 4])
  })

  test('[W2] in the same browser the neighbour brings it, and both use one clock', async () => {
    const [ada, other] = await oneBrowserLooks()
    const timelines = await typeAndMeasure(ada, 'abc', 1)
    expect(timelines.map(({ arrivals }) => arrivals[0]!.path)).toEqual(['browser', 'browser', 'browser'])
    expect(ada.latency.get().windows).toMatchObject([
      { id: other.page.window, own: true, sameBrowser: true, boundMs: 0.2, paths: { browser: 3, server: 0 } },
    ])
  })

  test('a hidden page reports that it is hidden; nothing is made up for it', async () => {
    const [ada, bob] = await adaLooksAtBob()
    bob.page.hidden = true
    const [one] = await typeAndMeasure(ada, 'a', 1)
    expect(one!.arrivals[0]!.painted).toBe('hidden')
    expect(ada.latency.get().windows).toMatchObject([
      { hidden: 1, received: { count: 1 }, painted: { count: 0 } },
    ])
  })
})

describe('[L2] times across devices', () => {
  test.each([-3_600_000, 2_500])(
    'a clock that is %d ms off leaves them true within the bound',
    async (clockErrorMs) => {
      const [ada] = await adaLooksAtBob({ clockErrorMs })
      const [one] = await typeAndMeasure(ada, 'a', 1)
      const [{ received, boundMs }] = one!.arrivals as [EditTimeline['arrivals'][number]]
      // The edit cannot arrive before it was sent, nor after its trace; both times are known here within the bound.
      expect(received).toBeGreaterThanOrEqual(one!.made - boundMs)
      expect(received).toBeLessThan(1_000 + boundMs)
      expect(ada.latency.get().windows[0]).toMatchObject({ sameBrowser: false, boundMs })
    },
  )
})

describe('[L3] samples', () => {
  test('an intended time counts, however late the edit was made', async () => {
    const [ada] = await adaLooksAtBob()
    ada.latency.setIntendedTime(ada.page.now() - 40)
    const [late, onTime] = await typeAndMeasure(ada, 'ab', 1)
    expect(late!.made).toBeGreaterThanOrEqual(40)
    expect(onTime!.made).toBe(0)
  })

  test('the figures are those of the samples', async () => {
    const [ada] = await adaLooksAtBob()
    await typeAndMeasure(ada, 'abcdefghij', 1)
    const { edits } = ada.latency.samples()
    const state = ada.latency.get()
    const largest = (values: (number | 'hidden' | undefined)[]): number => Math.max(...values.map(Number))
    expect(edits.map(({ edit }) => edit)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(state.own.saved.max).toBeCloseTo(largest(edits.map(({ saved }) => saved)), 2)
    expect(state.windows[0]!.painted.max).toBeCloseTo(
      largest(edits.map(({ arrivals }) => arrivals[0]!.painted)),
      2,
    )
    expect(state.perKey!.up).toBeGreaterThan(0)
  })
})
