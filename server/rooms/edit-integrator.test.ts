import { afterEach, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { EditIntegrator } from './edit-integrator.ts'
import { docOf } from './fixtures/rooms-fixture.ts'
import { Meter } from '../metering/meter.ts'
import { principalOf } from './fixtures/room-member.ts'
import { IntegrationCost } from './integration-cost.ts'
import { RoomFaults } from './room-faults.ts'
import { RoomText } from './room-text.ts'
import { RoomRefusal } from './rooms.ts'

afterEach(() => vi.restoreAllMocks())

const POISON = 'poison'

/** Stands for an edit that passes the check and breaks Yjs. */
function breakIntegration(): void {
  const { integrate } = Y.Item.prototype
  vi.spyOn(Y.Item.prototype, 'integrate').mockImplementation(function (this: Y.Item, ...parameters) {
    const { content } = this
    if (content instanceof Y.ContentString && content.str.includes(POISON)) throw new Error('Yjs broke')
    integrate.apply(this, parameters)
  })
}

function openIntegrator() {
  /** Causes of faults. */
  const causes: unknown[] = []
  const faults: RoomFaults = new RoomFaults((cause) => {
    causes.push(cause)
    faults.setFaulty()
  })
  const text = RoomText.fromLoaded({ updates: [], sequence: 0, logLength: 0 })
  const integrator = new EditIntegrator({
    document: 'd',
    partKey: 'd/body',
    log: silentLogger,
    meter: new Meter(),
    text,
    faults,
  })
  const check = (name: string, update: Uint8Array) => {
    const cost = new IntegrationCost(update.length)
    const principal = principalOf(name)
    return { principal, cost, checked: integrator.check(principal, update, cost) }
  }
  const refusals: string[] = []
  return {
    integrator,
    faults,
    causes,
    refusals,
    integrate: (principal: string, update: Uint8Array) => integrator.integrate(check(principal, update)),
    defer: (principal: string, update: Uint8Array) =>
      integrator.defer({
        ...check(principal, update),
        refuse: ({ reason }) => refusals.push(`${principal}: ${reason.code}`),
      }),
    letters: () => integrator.doc.getText('trace').toJSON(),
  }
}

const updateOf = (text: string): Uint8Array => Y.encodeStateAsUpdate(docOf(text))
const codeOf = (run: () => unknown): string => {
  try {
    run()
    return 'none'
  } catch (error) {
    if (error instanceof RoomRefusal) return error.reason.code
    throw error
  }
}

describe('[A7] an edit that breaks Yjs', () => {
  test('is refused, and leaves nothing in the Y.Doc', () => {
    const { integrate, letters, causes } = openIntegrator()
    expect(integrate('ada', updateOf('kept'))).toBe(true)
    const poison = updateOf(POISON)
    breakIntegration()
    expect(codeOf(() => integrate('mallory', poison))).toBe('bad-update')
    vi.restoreAllMocks()
    expect([letters(), causes]).toEqual(['kept', []])
  })

  test('is found among deferred edits: it and what its author sent later are refused, the others are kept', () => {
    const { defer, integrate, letters, refusals, causes } = openIntegrator()
    void integrate('ada', updateOf('.'))
    defer('ada', updateOf('a'))
    defer('mallory', updateOf(POISON))
    defer('bob', updateOf('b'))
    defer('mallory', updateOf('m'))
    breakIntegration()
    expect(letters().split('').sort()).toEqual(['.', 'a', 'b'])
    expect([refusals, causes]).toEqual([['mallory: bad-update', 'mallory: behind'], []])
  })
})

describe('deferred edits', () => {
  test('are in the Y.Doc for whoever uses it, and count for the check of later edits', () => {
    const { defer, integrate, letters } = openIntegrator()
    const author = docOf('a')
    void integrate('ada', updateOf('.'))
    defer('ada', Y.encodeStateAsUpdate(author))
    const before = Y.encodeStateVector(author)
    author.getText('trace').insert(1, 'b')
    defer('ada', Y.encodeStateAsUpdate(author, before))
    expect(letters()).toContain('ab')
  })

  test('are refused if the room fails before they are integrated', () => {
    const { integrator, faults, refusals, defer, integrate } = openIntegrator()
    void integrate('ada', updateOf('.'))
    defer('ada', updateOf('a'))
    faults.report(new Error('the store is broken'))
    integrator.integrateDeferred()
    expect(refusals).toEqual(['ada: overloaded'])
    expect(codeOf(() => integrator.doc)).toBe('overloaded')
  })
})

test('[S1] an edit that is known already is no new one', () => {
  const { integrate } = openIntegrator()
  const update = updateOf('a')
  expect([integrate('ada', update), integrate('ada', update)]).toEqual([true, false])
})
