import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { palette } from '@/lib/protocol/palette.ts'
import type { Profile } from '@/components/api'
import { meKey } from '@/components/documents/queries'
import { followDesk } from './profile-in-step'

function awareness(): Awareness {
  const made = new Awareness(new Y.Doc())
  clearInterval(made._checkInterval)
  return made
}

function desk(me: Profile) {
  const [here, there] = [awareness(), awareness()]
  const client = new QueryClient()
  client.setQueryData(meKey, me)
  const stop = followDesk({ awareness: here }, client)
  return {
    stop,
    /** What the server stamps on the person's window on another device. */
    hear(user: object): void {
      there.setLocalState({ window: {}, user: { id: me.id, ...user } })
      applyAwarenessUpdate(here, encodeAwarenessUpdate(there, [there.clientID]), 'server')
    },
    isStale: () => client.getQueryState(meKey)?.isInvalidated,
  }
}

const me: Profile = { id: 'user:ada', name: 'Ada', colour: 'teal', asked: true }

test.each([
  [{ name: 'Ada' }, false],
  [{ name: 'Ada', color: palette.teal }, false],
  [{ name: 'Ada Wren' }, true],
  [{ name: 'Ada', color: palette.pink }, true],
  [{ name: 7 }, false],
])('a window of the person’s that is stamped %j: ask who this is: %s', (user, isStale) => {
  const { hear, isStale: asks } = desk(me)
  hear(user)
  expect(asks()).toBe(isStale)
})

test('a desk that was closed asks nothing', () => {
  const { hear, stop, isStale } = desk(me)
  stop()
  hear({ name: 'Ada Wren' })
  expect(isStale()).toBe(false)
})
