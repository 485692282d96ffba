import type { Logger } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import type { Fanout } from '../fanout/fanout.ts'
import { FallbackFanout } from '../fanout/fallback.ts'
import { createLocalHub, type LocalHub } from '../fanout/local.ts'
import { createNodeName, NodeRegister } from './node-register.ts'
import { readNodeMessage, writeNodeMessage } from './node-messages.ts'

describe('the register of nodes', () => {
  let hub: LocalHub
  let clock: ManualClock
  const fanouts: Fanout[] = []
  const registers: NodeRegister[] = []
  const start = (self: string): NodeRegister => {
    const fanout = hub.join(self, { clock })
    fanouts.push(fanout)
    const register = new NodeRegister({ fanout, self, address: `http://${self}.example`, clock })
    registers.push(register)
    return register
  }
  const goneOf = (register: NodeRegister): string[] => {
    const gone: string[] = []
    register.onGone((name) => gone.push(name))
    return gone
  }
  const namesOf = ({ others }: NodeRegister) => others.map(({ name }) => name).toSorted()
  /** A message needs some turns to arrive. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      await clock.pass(50)
      await settle(2)
    }
  }

  beforeEach(() => {
    hub = createLocalHub()
    clock = new ManualClock()
  })
  afterEach(async () => {
    await Promise.all(registers.splice(0).map((register) => register.close()))
    await Promise.all(fanouts.splice(0).map((fanout) => fanout.close()))
  })

  test('nodes know each other, and their addresses, as soon as they have started', async () => {
    const [ada, bob] = [start('ada'), start('bob')]
    await settle(5)
    const cyd = start('cyd')
    await settle(5)
    expect([ada, bob, cyd].map(namesOf)).toEqual([
      ['bob', 'cyd'],
      ['ada', 'cyd'],
      ['ada', 'bob'],
    ])
    expect(cyd.find('ada')).toEqual({ name: 'ada', address: 'http://ada.example' })
    expect([cyd.find('cyd'), cyd.find('nobody')]).toEqual([null, null])
  })

  test('a node that starts waits 0.3 s for the others, and 3 s more for a medium', async () => {
    const introducedAfter = async (register: NodeRegister): Promise<number> => {
      let isIntroduced = false
      void register.whenIntroduced.then(() => (isIntroduced = true))
      let passed = 0
      for (; !isIntroduced && passed < 10_000; passed += 50) await pass(50)
      return passed
    }
    const bob = start('bob')
    expect(await introducedAfter(bob)).toBe(300)
    // Redis and PostgreSQL are both away.
    const media = [createLocalHub(), hub]
    for (const medium of media) medium.cut('ada')
    const [redis, postgres] = media.map((medium) => medium.join('ada', { clock }))
    const fanout = new FallbackFanout({ node: 'ada', redis: redis!, postgres: postgres!, clock })
    fanouts.push(fanout)
    const ada = new NodeRegister({ fanout, self: 'ada', address: '', clock })
    registers.push(ada)
    expect(await introducedAfter(ada)).toBe(3_300)
    expect([fanout.status, ada.others]).toEqual(['disconnected', []])
  })

  test('a node that says goodbye is gone at once, and told once', async () => {
    const [ada, bob] = [start('ada'), start('bob')]
    await settle(5)
    const gone = goneOf(ada)
    await bob.close()
    await settle(5)
    expect([gone, ada.others]).toEqual([['bob'], []])
    await pass(10_000)
    expect(gone).toEqual(['bob'])
  })

  test('a node that falls silent is gone between 4 s and 5 s after its last word, and another listener’s fault changes nothing', async () => {
    const [ada] = [start('ada'), start('bob')]
    await settle(5)
    ada.onGone(() => {
      throw new Error('a fault of a listener')
    })
    const gone = goneOf(ada)
    await pass(10_000)
    expect(namesOf(ada)).toEqual(['bob'])
    hub.cut('bob')
    await pass(2_900)
    expect(gone).toEqual([])
    await pass(2_100)
    expect([gone, ada.find('bob')]).toEqual([['bob'], null])
  })

  test('one of three heartbeats is enough', async () => {
    const [ada] = [start('ada'), start('bob')]
    await settle(5)
    const gone = goneOf(ada)
    let count = 0
    hub.setFaults({ drop: () => count++ % 3 !== 0 })
    await pass(30_000)
    expect(gone).toEqual([])
  })

  test('a node that is deaf keeps the others, and for a lease after it hears again', async () => {
    const ada = start('ada')
    start('bob')
    await settle(5)
    const gone = goneOf(ada)
    hub.cut('ada')
    hub.cut('bob')
    await pass(60_000)
    expect([gone, namesOf(ada)]).toEqual([[], ['bob']])
    hub.heal('ada')
    await pass(3_900)
    expect(gone).toEqual([])
    await pass(1_000)
    expect(gone).toEqual(['bob'])
    hub.heal('bob')
    await pass(100)
    expect(namesOf(ada)).toEqual(['bob'])
  })

  test('a node that comes back within a lease was never gone', async () => {
    const [ada, bob] = [start('ada'), start('bob')]
    await settle(5)
    const gone = [...goneOf(ada), ...goneOf(bob)]
    hub.cut('bob')
    await pass(3_000)
    hub.heal('bob')
    await pass(10_000)
    expect([gone, namesOf(ada), namesOf(bob)]).toEqual([[], ['bob'], ['ada']])
  })

  test('a node that was silent for longer than its lease has joined again once it is heard', async () => {
    const ada = start('ada')
    const joined: string[] = []
    ada.onJoined((name) => joined.push(name))
    const bob = start('bob')
    await settle(5)
    await pass(2_000)
    expect(joined).toEqual(['bob'])
    hub.setFaults({ drop: () => true })
    await pass(5_000)
    expect(ada.find('bob')).toBeNull()
    hub.setFaults({})
    await pass(1_050)
    expect([joined, namesOf(ada)]).toEqual([['bob', 'bob'], ['bob']])
    await bob.close()
  })

  test('a node that a proxy knows by another authority is named in the log of the others', async () => {
    const warnings: unknown[] = []
    const log = {
      info() {},
      warn: ({ node }: { node: string }) => void warnings.push(node),
    } as unknown as Logger
    const join = (self: string, authority: string): void => {
      const fanout = hub.join(self, { clock })
      fanouts.push(fanout)
      registers.push(new NodeRegister({ fanout, self, address: '', authority, log, clock }))
    }
    join('ada', 'AB:CD')
    join('bob', 'AB:CD')
    start('cyd') // of a former release, or with a certificate of its own
    await pass(2_000)
    expect(warnings).toEqual([])
    join('dan', 'EF:01')
    await pass(2_000)
    expect(warnings).toHaveLength(4)
    expect(new Set(warnings)).toEqual(new Set(['ada', 'bob', 'dan']))
  })

  test('a process that stood still gives the others a lease before it judges them', async () => {
    const [ada] = [start('ada'), start('bob')]
    await settle(5)
    const gone = goneOf(ada)
    hub.setFaults({ drop: () => true })
    await clock.sleep(30_000)
    await pass(3_500)
    expect(gone).toEqual([])
    await pass(1_500)
    expect(gone).toEqual(['bob'])
  })

  test('a medium that comes and goes does not keep a dead node alive', async () => {
    const interruptions: (() => void)[] = []
    const fanout = hub.join('ada', { clock })
    fanouts.push(fanout)
    const interruptible: Fanout = {
      status: 'connected',
      publish: () => {},
      onStatus: () => () => {},
      subscribe(topic, listener) {
        interruptions.push(() => listener.onInterrupted())
        return fanout.subscribe(topic, listener)
      },
      close: async () => {},
    }
    const ada = new NodeRegister({ fanout: interruptible, self: 'ada', address: '', clock })
    registers.push(ada)
    await settle(5)
    const bob = hub.join('bob', { clock })
    fanouts.push(bob)
    bob.publish('nodes', writeNodeMessage({ kind: 'alive', name: 'bob', address: '', authority: '' }))
    await settle(5)
    expect(namesOf(ada)).toEqual(['bob'])
    const gone = goneOf(ada)
    for (let second = 0; second < 20; second++) {
      interruptions[0]!()
      await pass(1_000)
      if (second === 10) expect(gone).toEqual([])
    }
    expect(gone).toEqual(['bob'])
  })

  test('what no node of this version says is passed over', async () => {
    const ada = start('ada')
    const other = hub.join('other', { clock })
    fanouts.push(other)
    await settle(5)
    const say = (text: string) => other.publish('nodes', new TextEncoder().encode(text))
    for (const text of ['', 'x', 'null', '1', '[]', '{}', '{"kind":"dance","name":"x","address":""}'])
      say(text)
    say('{"kind":"alive","name":1,"address":""}')
    say('{"kind":"alive","name":"later","address":"http://later.example","version":7}')
    await settle(5)
    expect(ada.others).toEqual([{ name: 'later', address: 'http://later.example' }])
  })
})

test('the register in real time: a dead node is gone, and not before its lease', async () => {
  const hub = createLocalHub()
  const [first, second] = [hub.join('ada'), hub.join('bob')]
  const ada = new NodeRegister({ fanout: first, self: 'ada', address: '' })
  const bob = new NodeRegister({ fanout: second, self: 'bob', address: '' })
  const onGone = vi.fn<(name: string) => void>()
  ada.onGone(onGone)
  await waitUntil(() => ada.others.length === 1 && bob.others.length === 1)
  const cutAt = performance.now()
  hub.cut('bob')
  await waitUntil(() => onGone.mock.calls.length > 0)
  expect(performance.now() - cutAt).toBeGreaterThan(2_900)
  expect(onGone.mock.calls).toEqual([['bob']])
  await Promise.all([ada.close(), bob.close()])
  await Promise.all([first.close(), second.close()])
})

test('a message of a node is read as it was written', () => {
  const message = { kind: 'hello', name: 'n', address: 'https://[::1]:3443', authority: 'AB:CD' } as const
  expect(readNodeMessage(writeNodeMessage(message))).toEqual(message)
  const ofFormerRelease = new TextEncoder().encode('{"kind":"hello","name":"n","address":""}')
  expect(readNodeMessage(ofFormerRelease)).toMatchObject({ authority: '' })
})

test('a node’s name is letters alone, and another each time', () => {
  const names = new Set(Array.from({ length: 1_000 }, createNodeName))
  expect(names.size).toBe(1_000)
  for (const name of names) expect(name).toMatch(/^n[a-z]{8}$/)
})
