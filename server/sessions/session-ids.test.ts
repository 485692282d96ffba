import { describe, expect, test } from 'vitest'
import { randomId } from '../../lib/protocol/ids.ts'
import type { Principal } from '../access/principal.ts'
import { SessionIds, windowOf } from './session-ids.ts'

const secret = Buffer.alloc(32, 1)
const ada: Principal = { id: 'link:x', name: 'Ada', credential: 'c', token: 'token' }
const [a, b] = ['a', 'b'].map((node) => new SessionIds(node, secret)) as [SessionIds, SessionIds]

describe('[A2] the id of a session', () => {
  test('names its node and its window, is new each time, and as long as those of former releases', () => {
    const first = a.create(ada, null)
    expect(first.id).toMatch(/^a\.[\w-]{22}$/)
    expect(first.secret).toMatch(/^[\w-]{22}$/)
    const others = Array.from({ length: 100 }, () => a.create(ada, null))
    expect(new Set([first, ...others].map(({ id }) => windowOf(id))).size).toBe(101)
  })

  test('of a window that comes back with the secret of its former one names the same window, on any node', () => {
    const first = a.create(ada, null)
    const second = b.create(ada, first)
    const third = a.create(ada, second)
    expect([windowOf(second.id), windowOf(third.id)]).toEqual([windowOf(first.id), windowOf(first.id)])
    expect(new Set([first, second, third].map(({ id }) => id)).size).toBe(3)
    expect(new Set([first, second, third].map((session) => session.secret)).size).toBe(3)
  })

  test('names another window for whoever cannot prove that a session was theirs', () => {
    const first = a.create(ada, null)
    const others = [
      b.create(ada, { ...first, secret: 'x'.repeat(22) }),
      b.create(ada, { ...first, secret: '' }),
      b.create({ ...ada, id: 'link:y' }, first),
      b.create(ada, { id: a.create(ada, null).id, secret: first.secret }),
      new SessionIds('b', Buffer.alloc(32, 2)).create(ada, first),
    ]
    for (const { id } of others) expect(windowOf(id)).not.toBe(windowOf(first.id))
  })

  test('of a window without a former session names the window that its own secret stands for, on any node', () => {
    const own = { id: '', secret: randomId() }
    const first = a.create(ada, own)
    const second = b.create(ada, own)
    expect(first.id).toMatch(/^a\.[\w-]{22}$/)
    expect(windowOf(second.id)).toBe(windowOf(first.id))
    expect(windowOf(b.create(ada, first).id)).toBe(windowOf(first.id))
    const others = [
      a.create(ada, { id: '', secret: randomId() }),
      a.create({ ...ada, id: 'link:y' }, own),
      new SessionIds('b', Buffer.alloc(32, 2)).create(ada, own),
    ]
    for (const { id } of others) expect(windowOf(id)).not.toBe(windowOf(first.id))
    const guessable = { id: '', secret: '' }
    expect(windowOf(a.create(ada, guessable).id)).not.toBe(windowOf(a.create(ada, guessable).id))
  })

  test('that is none of ours stands for itself', () => {
    expect([windowOf('y-websocket'), windowOf('a.short'), windowOf('')]).toEqual(['y-websocket', 'short', ''])
  })
})
