import { describe, expect, test } from 'vitest'
import { ManualClock } from './fixtures/manual-clock.ts'
import { type NetworkInformationLike, listenToEnvironment } from './environment.ts'

class FakeConnection extends EventTarget implements NetworkInformationLike {
  declare type?: string
}

function createFixture(type?: string) {
  const clock = new ManualClock()
  const calls: string[] = []
  const connection = new FakeConnection()
  if (type !== undefined) connection.type = type
  const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
  const environment = { window: new EventTarget(), document, connection }
  const session = { checkLinkNow: () => calls.push('check'), onNetworkChange: () => calls.push('network') }
  const undo = listenToEnvironment(session, clock, environment)
  const dispatch = (target: EventTarget, name: string) => target.dispatchEvent(new Event(name))
  return { ...environment, clock, calls, undo, dispatch }
}

describe('[S5] [S7] a window notices changes of its environment', () => {
  test('it checks the link when it becomes visible, not when it is hidden', () => {
    const { document, dispatch, calls } = createFixture()
    dispatch(document, 'visibilitychange')
    document.visibilityState = 'visible'
    dispatch(document, 'visibilitychange')
    expect(calls).toEqual(['check'])
  })

  test('it checks the link when the network is gone', () => {
    const { window, dispatch, calls } = createFixture()
    dispatch(window, 'offline')
    expect(calls).toEqual(['check'])
  })

  test('a network that is back may be another one', () => {
    const { window, dispatch, calls } = createFixture()
    dispatch(window, 'online')
    expect(calls).toEqual(['network'])
  })

  test('another kind of network is a change, each time; a new estimate of its speed is none', () => {
    const { connection, dispatch, calls } = createFixture('wifi')
    dispatch(connection, 'change')
    expect(calls).toEqual([])
    connection.type = 'cellular'
    dispatch(connection, 'change')
    connection.type = 'wifi'
    dispatch(connection, 'change')
    expect(calls).toEqual(['network', 'network'])
  })

  test('if the kind is unknown, a change counts once a minute', async () => {
    const { connection, dispatch, calls, clock } = createFixture()
    dispatch(connection, 'change')
    dispatch(connection, 'change')
    expect(calls).toEqual(['network'])
    await clock.pass(60_000)
    dispatch(connection, 'change')
    expect(calls).toEqual(['network', 'network'])
  })

  test('after its undo it notices nothing', () => {
    const { window, document, connection, dispatch, calls, undo } = createFixture()
    undo()
    document.visibilityState = 'visible'
    dispatch(window, 'online')
    dispatch(window, 'offline')
    dispatch(document, 'visibilitychange')
    dispatch(connection, 'change')
    expect(calls).toEqual([])
  })

  test('outside a browser there is nothing to notice', () => {
    const session = { checkLinkNow: () => {}, onNetworkChange: () => {} }
    expect(listenToEnvironment(session, new ManualClock())).not.toThrow()
  })
})
