import { describe, expect, test } from 'vitest'
import { Meter, type MeteredPrincipal, type MeterOptions, WORK_RATE } from './meter.ts'
import type { WorkKind } from './prices.ts'

const person = (name: string, address = '203.0.113.1'): MeteredPrincipal => ({ id: `user:${name}`, address })
const holder = (address: string): MeteredPrincipal => ({ id: 'link:x', token: 'x', address })

const own = { window: 'own' }

/** A meter whose time passes only when a test says so. */
function openMeter(options: MeterOptions = {}) {
  let now = 0
  const timers = new Set<{ at: number; run: () => void }>()
  const clock = {
    now: () => now,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  }
  const refusals = new Map<WorkKind, number>()
  const meter = new Meter({ clock, refusals, ...options })
  return {
    meter,
    refusals,
    passTime(ms: number) {
      now += ms
      for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.run()
    },
    /** How many works of this size the principal may do at once. */
    countTakes(principal: MeteredPrincipal, units: number, document?: string): number {
      let taken = 0
      while (meter.take(principal, units, 'api', document) === 0) taken += 1
      return taken
    },
  }
}

/** Lets all that waits for a turn of the event loop go on. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('[A6] the meter', () => {
  test('lets a principal cause two seconds of work at once, and a tenth of a core after that', () => {
    expect(WORK_RATE).toEqual({ atOnce: 2_000_000, perSecond: 100_000 })
    const { countTakes, passTime, meter } = openMeter()
    expect(countTakes(person('eve'), 10_000)).toBe(200)
    expect(meter.waitMs(person('eve'))).toBe(10)
    passTime(1_000)
    expect(countTakes(person('eve'), 10_000)).toBe(10)
  })

  test('lets everybody go on whose bucket is full, however small it is', () => {
    const { countTakes, passTime } = openMeter({ rate: { atOnce: 500, perSecond: 5 } })
    expect(countTakes(person('eve'), 100, 'one')).toBe(1)
    passTime(20_000)
    expect(countTakes(person('eve'), 100, 'one')).toBe(1)
  })

  test('counts a principal at all its addresses, and in all documents', () => {
    const { countTakes } = openMeter()
    countTakes(person('eve'), 10_000)
    expect(countTakes(person('eve', '203.0.113.2'), 10_000)).toBe(0)
    expect(countTakes(person('eve'), 10_000, 'another')).toBe(0)
    expect(countTakes(person('ada'), 10_000)).toBe(200)
  })

  test('bounds all guests of one address together, and locks out nobody there who has caused little', () => {
    const { meter, countTakes } = openMeter()
    const guests = Array.from({ length: 100 }, (_, index) => person(`guest ${index}`))
    const works = guests.map((guest) => countTakes(guest, 10_000))
    // Ten times what one may take, and what each may take though nothing is left.
    expect(works.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(works.slice(10, 11)).toEqual([20])
    expect(countTakes(person('ada'), 1_000)).toBeGreaterThan(100)
    expect(countTakes(person('bob', '203.0.113.2'), 10_000)).toBe(200)
    const many = Array.from({ length: 1_000 }, (_, index) => person(`one more ${index}`))
    const sum = many.reduce((total, guest) => total + countTakes(guest, 10_000), 0)
    expect(sum).toBeLessThanOrEqual(2_000)
    expect(meter.waitMs(person('one of too many'))).toBeGreaterThan(0)
  })

  test('makes those wait who empty one document’s bucket together, but nobody who just types', () => {
    const { meter, passTime } = openMeter()
    const strangers = Array.from({ length: 10 }, (_, index) =>
      person(`stranger ${index}`, `198.51.100.${index}`),
    )
    for (const stranger of strangers) meter.charge(stranger, 400_000, 'one')
    for (const stranger of strangers) expect(meter.waitMs(stranger, 'one')).toBe(5)
    expect(meter.waitMs(strangers[0]!, 'another')).toBe(0)
    meter.charge(person('ada'), 20_000, 'one')
    expect(meter.waitMs(person('ada'), 'one')).toBe(0)
    passTime(110)
    expect(meter.waitMs(strangers[0]!, 'one')).toBe(0)
  })

  test('tells who may not send an edit how long to wait', () => {
    const { meter } = openMeter()
    meter.charge(person('eve'), WORK_RATE.atOnce + 500_000, 'one')
    const waitMs = (501_000 / WORK_RATE.perSecond) * 1_000 // until a thousand units are left
    const reason = expect.objectContaining({
      reason: expect.objectContaining({ code: 'overloaded', retryAfterMs: waitMs }),
    })
    expect(() => meter.admit(person('eve'), 'edit', 'another')).toThrow(reason)
    meter.admit(person('ada'), 'edit', 'one')
  })

  test('counts everybody who comes by a link’s token by their address', () => {
    const { countTakes } = openMeter()
    expect(countTakes(holder('203.0.113.1'), 100_000)).toBe(200)
    expect(countTakes(holder('203.0.113.2'), 100_000)).toBe(200)
  })

  test('is a debt that ends', () => {
    const { meter, passTime } = openMeter()
    meter.charge(person('eve'), 10 * 60_000_000)
    passTime(((WORK_RATE.atOnce + 1_000) / WORK_RATE.perSecond) * 1_000 + 1)
    expect(meter.waitMs(person('eve', '203.0.113.2'))).toBe(0)
  })

  test('lets work wait until it can be paid, each after the one before', async () => {
    const { meter, passTime, refusals } = openMeter()
    meter.charge(person('eve'), WORK_RATE.atOnce)
    const done: number[] = []
    for (const index of [1, 2, 3])
      void meter.spend(person('eve'), 200_000, 'state', own).then(() => done.push(index))
    await settle()
    expect(done).toEqual([])
    for (const expected of [[1], [1, 2], [1, 2, 3]]) {
      passTime(1_000)
      await settle()
      passTime(1_000)
      await settle()
      expect(done).toEqual(expected)
    }
    expect(refusals.get('state')).toBe(3)
  })

  test('does one principal’s long works one a turn, also while they can be paid', async () => {
    const { meter } = openMeter()
    const done: number[] = []
    for (const index of [1, 2, 3])
      void meter.spend(person('eve'), 5_000, 'state', own).then(() => done.push(index))
    await Promise.resolve()
    await Promise.resolve()
    expect(done).toEqual([1])
    await settle()
    expect(done).toEqual([1, 2, 3])
  })

  test('charges nothing for what nobody waits for any more', async () => {
    const { meter, passTime } = openMeter()
    meter.charge(person('eve'), WORK_RATE.atOnce)
    let isWanted = true
    const spending = meter.spend(person('eve'), WORK_RATE.atOnce, 'state', {
      ...own,
      isWanted: () => isWanted,
    })
    await settle()
    isWanted = false
    passTime(1_000)
    await spending
    expect(meter.waitMs(person('eve'))).toBe(0)
  })

  test('refuses what would wait behind two hundred works of the same principal', async () => {
    const { meter } = openMeter()
    meter.charge(person('eve'), WORK_RATE.atOnce)
    for (let count = 0; count < 200; count++) void meter.spend(person('eve'), 1, 'join', own)
    const reason = { code: 'overloaded', retryAfterMs: 1_000 }
    await expect(meter.spend(person('eve'), 1, 'join', own)).rejects.toMatchObject({ reason })
    await meter.spend(person('ada'), 1, 'join', own)
  })

  test('lets the windows behind one address take turns, however many works of a stranger wait there', async () => {
    const { meter, passTime } = openMeter()
    const visitor = holder('203.0.113.1')
    meter.charge(visitor, 10 * WORK_RATE.atOnce)
    const done: string[] = []
    const spend = (window: string) =>
      meter.spend(visitor, 400_000, 'state', { window }).then(() => done.push(window))
    for (let count = 0; count < 200; count++) void spend('stranger')
    await expect(spend('stranger')).rejects.toMatchObject({ reason: { code: 'overloaded' } })
    for (const window of ['ada', 'ada', 'bob']) void spend(window)
    for (let second = 0; second < 6; second++) {
      await settle()
      passTime(1_000)
    }
    await settle()
    expect(done.slice(0, 5)).toEqual(['stranger', 'stranger', 'ada', 'bob', 'stranger'])
    const left = 203 - done.length
    for (let window = left; window < 2_000; window++) void spend(`${window}`)
    await expect(spend('one too many')).rejects.toMatchObject({ reason: { code: 'overloaded' } })
  })

  test('counts what is held for the works that wait', async () => {
    const { meter } = openMeter()
    meter.charge(person('eve'), WORK_RATE.atOnce)
    const spend = (window: string) =>
      meter.spend(person('eve'), 1, 'join', { window, heldBytes: 2 * 1024 * 1024 })
    for (let window = 0; window < 16; window++) void spend(`${window}`)
    await expect(spend('one too many')).rejects.toMatchObject({ reason: { code: 'overloaded' } })
  })

  test('logs a principal at its limit once a minute, and counts each refusal', () => {
    const lines: object[] = []
    const log = { warn: (line: object) => void lines.push(line) } as unknown as NonNullable<
      MeterOptions['log']
    >
    const { meter, passTime, refusals } = openMeter({ log })
    meter.charge(person('eve'), 3 * WORK_RATE.atOnce)
    for (let count = 0; count < 5; count++) meter.take(person('eve'), 1, 'ping')
    expect(refusals).toEqual(new Map([['ping', 5]]))
    expect(lines).toEqual([
      { principal: 'user:eve', address: '203.0.113.1', work: 'ping', waitMs: expect.any(Number) },
    ])
    passTime(60_000)
    meter.charge(person('eve'), 3 * WORK_RATE.atOnce)
    meter.take(person('eve'), 1, 'clock')
    expect(lines).toHaveLength(2)
  })

  test('limits nothing where it is off', async () => {
    const { meter } = openMeter({ rate: null })
    meter.charge(person('eve'), 1e12, 'one')
    expect(meter.waitMs(person('eve'), 'one')).toBe(0)
    await meter.spend(person('eve'), 1e12, 'state', own)
  })
})
