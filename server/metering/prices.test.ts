/** What honest people cause, by its counts, against what the meter grants. */
import { describe, expect, test } from 'vitest'
import { Meter, type MeteredPrincipal } from './meter.ts'
import { apiUnits, digestUnits, joinUnits, PRICES, repeatUnits, stateUnits } from './prices.ts'

const MIB = 2 ** 20
/** No time passes, so nothing is given back. */
const openMeter = (): Meter => new Meter({ clock: { now: () => 0, after: () => () => {} } })
const colleague = (index: number): MeteredPrincipal => ({ id: `user:${index}`, address: '203.0.113.1' })

const openUnits = (textBytes: number): number =>
  3 * joinUnits(1) + stateUnits({ entries: 0, missingBytes: textBytes, textBytes }) + 8 * PRICES.request
const reopenUnits = (textBytes: number): number =>
  3 * joinUnits(5_000) + stateUnits({ entries: 500, missingBytes: 20, textBytes }) + digestUnits(textBytes)

describe('[A6] honest work meets no limit', () => {
  test('an office of 500 behind one address opens a document of a MiB, and all its 2,000 windows come back at once', () => {
    const meter = openMeter()
    for (let index = 0; index < 500; index++)
      expect(meter.take(colleague(index), openUnits(MIB), 'state')).toBe(0)
    for (let index = 0; index < 2_000; index++)
      expect(meter.take(colleague(index % 500), reopenUnits(100 * 1024), 'state')).toBe(0)
  })

  test('an office of 500 behind one address opens its list, a new document and five others at nine o’clock', () => {
    const meter = openMeter()
    for (let page = 0; page < 500 * 6; page++) expect(meter.takePage('203.0.113.1')).toBe(0)
  })

  test('an office of 500 behind one address follows one link within a minute, and everybody gives a name', () => {
    let now = 0
    const meter = new Meter({ clock: { now: () => now, after: () => () => {} } })
    for (let index = 0; index < 500; index++, now += 120) {
      const joinUnits = apiUnits.recheck(index) + apiUnits.profile + openUnits(100 * 1024)
      expect(meter.take(colleague(index), joinUnits, 'api')).toBe(0)
      expect(meter.waitMs(colleague(index))).toBe(0)
    }
  })

  test('60 people open a document of 260,000 edits, and each has its digest compared ten times', () => {
    const meter = openMeter()
    for (let index = 0; index < 60; index++) {
      expect(meter.take(colleague(index), openUnits(2 * MIB), 'state')).toBe(0)
      for (let count = 0; count < 10; count++)
        expect(meter.take(colleague(index), digestUnits(count === 0 ? 2 * MIB : 0), 'digest')).toBe(0)
    }
  })

  test('one person’s ten windows trace ten edits a second for ten minutes', () => {
    const meter = openMeter()
    const traces = 600 * 10 * PRICES.answer
    const clocks = 120 * PRICES.answer
    for (let window = 0; window < 10; window++)
      expect(meter.take(colleague(1), traces + clocks, 'trace')).toBe(0)
  })
})

describe('[A6] a price', () => {
  test('of a state grows with what is walked over and sent, and with the entries of the state vector', () => {
    const none = stateUnits({ entries: 0, missingBytes: 0, textBytes: 20 * MIB })
    expect(none).toBe(PRICES.answer)
    const reattach = stateUnits({ entries: 1, missingBytes: 0, textBytes: 2 * MIB })
    expect(reattach).toBeGreaterThan(4_000)
    expect(stateUnits({ entries: 10_000, missingBytes: 0, textBytes: 2 * MIB })).toBeGreaterThan(20_000)
    expect(stateUnits({ entries: 1, missingBytes: MIB, textBytes: 2 * MIB })).toBeGreaterThan(
      reattach + 20_000,
    )
  })

  test('of a join grows with a state vector that nobody honest has', () => {
    expect(joinUnits(16 * 1024)).toBe(joinUnits(0))
    expect(joinUnits(MIB)).toBeGreaterThan(MIB / 2)
  })

  test('of a repeated MiB is that of sending it', () => {
    expect(repeatUnits(MIB)).toBe(PRICES.answer + 4_096)
  })

  test('of copies lets a person copy a long text of 4 MiB three times at once, and short ones a hundred times', () => {
    const copiesAtOnce = (bytes: number): number => {
      const meter = openMeter()
      let copies = 0
      while (meter.take(colleague(1), PRICES.request + apiUnits.copy(bytes), 'api') === 0) copies += 1
      return copies
    }
    expect(copiesAtOnce(4 * MIB)).toBe(3)
    expect(copiesAtOnce(20_000)).toBeGreaterThan(100)
  })
})
