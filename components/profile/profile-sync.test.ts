import { expect, test, vi } from 'vitest'
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { palette } from '@/lib/protocol/palette.ts'
import type { Profile } from '@/components/http-api.ts'
import { setOwnProfile } from './own-profile.ts'
import { refetchWhenDeskDiffers } from './profile-sync.tsx'

function createAwareness(): Awareness {
  const instance = new Awareness(new Y.Doc())
  clearInterval(instance._checkInterval)
  return instance
}

function createDeskFixture(me: Profile) {
  const [local, remote] = [createAwareness(), createAwareness()]
  const refetch = vi.fn(async () => {})
  setOwnProfile(me)
  const stop = refetchWhenDeskDiffers({ awareness: local }, refetch)
  return {
    stop,
    /** Receives what the server writes on the presence of the person's window on another device. */
    receiveUser(user: object): void {
      remote.setLocalState({ window: {}, user: { id: me.id, ...user } })
      applyAwarenessUpdate(local, encodeAwarenessUpdate(remote, [remote.clientID]), 'server')
    },
    isRefetched: () => refetch.mock.calls.length > 0,
  }
}

const me: Profile = { id: 'user:ada', name: 'Ada', colour: 'teal', asked: true }

test.each([
  [{ name: 'Ada' }, false],
  [{ name: 'Ada', color: palette.teal }, false],
  [{ name: 'Ada Wren' }, true],
  [{ name: 'Ada', color: palette.pink }, true],
  [{ name: 7 }, false],
])('a desk window with the user %j makes this window refetch the profile: %s', (user, isRefetchDue) => {
  const { receiveUser, isRefetched } = createDeskFixture(me)
  receiveUser(user)
  expect(isRefetched()).toBe(isRefetchDue)
})

test('a closed desk triggers no request', () => {
  const { receiveUser, stop, isRefetched } = createDeskFixture(me)
  stop()
  receiveUser({ name: 'Ada Wren' })
  expect(isRefetched()).toBe(false)
})
