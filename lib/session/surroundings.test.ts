import { describe, expect, test } from 'vitest'
import { ManualClock } from './fixtures/manual-clock.ts'
import { type ConnectionLike, listenToSurroundings } from './surroundings.ts'

class FakeConnection extends EventTarget implements ConnectionLike {
  declare type?: string
}

function world(type?: string) {
  const clock = new ManualClock()
  const told: string[] = []
  const connection = new FakeConnection()
  if (type !== undefined) connection.type = type
  const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
  const around = { window: new EventTarget(), document, connection }
  const session = { nudge: () => told.push('nudge'), networkChanged: () => told.push('network') }
  const undo = listenToSurroundings(session, clock, around)
  const happens = (target: EventTarget, name: string) => target.dispatchEvent(new Event(name))
  return { ...around, clock, told, undo, happens }
}

describe('[S5] [S7] a window hears what happens around it', () => {
  test('it asks when it becomes visible, not when it is hidden', () => {
    const { document, happens, told } = world()
    happens(document, 'visibilitychange')
    document.visibilityState = 'visible'
    happens(document, 'visibilitychange')
    expect(told).toEqual(['nudge'])
  })

  test('a network is back: it may be another one', () => {
    const { window, happens, told } = world()
    happens(window, 'online')
    expect(told).toEqual(['network'])
  })

  test('another kind of network is a change, each time; a new estimate of its speed is none', () => {
    const { connection, happens, told } = world('wifi')
    happens(connection, 'change')
    expect(told).toEqual([])
    connection.type = 'cellular'
    happens(connection, 'change')
    connection.type = 'wifi'
    happens(connection, 'change')
    expect(told).toEqual(['network', 'network'])
  })

  test('where the kind is not told, a change may be one: once a minute', async () => {
    const { connection, happens, told, clock } = world()
    happens(connection, 'change')
    happens(connection, 'change')
    expect(told).toEqual(['network'])
    await clock.pass(60_000)
    happens(connection, 'change')
    expect(told).toEqual(['network', 'network'])
  })

  test('after its undo it hears nothing', () => {
    const { window, document, connection, happens, told, undo } = world()
    undo()
    document.visibilityState = 'visible'
    happens(window, 'online')
    happens(document, 'visibilitychange')
    happens(connection, 'change')
    expect(told).toEqual([])
  })

  test('outside a browser there is nothing to hear', () => {
    const session = { nudge: () => {}, networkChanged: () => {} }
    expect(listenToSurroundings(session, new ManualClock())).not.toThrow()
  })
})
