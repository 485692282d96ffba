import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { palette } from '@/lib/protocol/palette.ts'
import type { Profile } from '@/components/http-api.ts'
import { profileKey } from '@/components/documents/document-queries.ts'
import { refetchWhenDeskDiffers } from './profile-sync.tsx'

function createAwareness(): Awareness {
  const instance = new Awareness(new Y.Doc())
  clearInterval(instance._checkInterval)
  return instance
}

function createDeskFixture(me: Profile) {
  const [local, remote] = [createAwareness(), createAwareness()]
  const client = new QueryClient()
  client.setQueryData(profileKey, me)
  const stop = refetchWhenDeskDiffers({ awareness: local }, client)
  return {
    stop,
    /** Receives what the server writes on the presence of the person's window on another device. */
    receiveUser(user: object): void {
      remote.setLocalState({ window: {}, user: { id: me.id, ...user } })
      applyAwarenessUpdate(local, encodeAwarenessUpdate(remote, [remote.clientID]), 'server')
    },
    isStale: () => client.getQueryState(profileKey)?.isInvalidated,
  }
}

const me: Profile = { id: 'user:ada', name: 'Ada', colour: 'teal', asked: true }

test.each([
  [{ name: 'Ada' }, false],
  [{ name: 'Ada', color: palette.teal }, false],
  [{ name: 'Ada Wren' }, true],
  [{ name: 'Ada', color: palette.pink }, true],
  [{ name: 7 }, false],
])('a desk window with the user %j makes this window refetch the profile: %s', (user, isStale) => {
  const { receiveUser, isStale: isRefetched } = createDeskFixture(me)
  receiveUser(user)
  expect(isRefetched()).toBe(isStale)
})

test('a closed desk triggers no request', () => {
  const { receiveUser, stop, isStale } = createDeskFixture(me)
  stop()
  receiveUser({ name: 'Ada Wren' })
  expect(isStale()).toBe(false)
})
