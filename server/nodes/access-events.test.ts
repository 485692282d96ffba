import { expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { ProfileUpdate } from '../access/profiles.ts'
import { SMALL_MESSAGE_BYTES } from '../fanout/fanout.ts'
import { createLocalHub } from '../fanout/local.ts'
import { shareAccessEvents } from './access-events.ts'

function createAccessEvents() {
  const listeners = new Set<(profile: ProfileUpdate) => void>()
  const heard: ProfileUpdate[] = []
  return {
    heard,
    rename: (profile: ProfileUpdate) => listeners.forEach((listener) => listener(profile)),
    onChanged: () => () => {},
    notifyChanged() {},
    profiles: {
      onChanged(listener: (profile: ProfileUpdate) => void) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      notifyChanged: (profile: ProfileUpdate) => void heard.push(profile),
    },
  }
}

test('[W7] a name arrives at other nodes however long its former names are, and no right is looked at again for it', async () => {
  const hub = createLocalHub()
  hub.setFaults({ maxBytes: SMALL_MESSAGE_BYTES })
  const [ada, bob] = [createAccessEvents(), createAccessEvents()]
  const fanouts = [hub.join('a'), hub.join('b')]
  const interrupted: string[] = []
  const ends = [ada, bob].map((events, index) =>
    shareAccessEvents(fanouts[index]!, events, () => interrupted.push(`${index}`)),
  )
  await Promise.all(
    fanouts.map((fanout) => fanout.subscribe('ready', { onMessage() {}, onInterrupted() {} }).ready),
  )
  const formerNames = Array.from(
    { length: 50 },
    (_, n) => '\u{1F98A}'.repeat(38) + String(n).padStart(2, '0'),
  )
  ada.rename({ id: 'user:ada', name: 'Ada', formerNames, colour: undefined })
  await waitUntil(() => bob.heard.length === 1 || interrupted.length > 0)
  expect(interrupted).toEqual([])
  expect(bob.heard).toEqual([
    { id: 'user:ada', name: 'Ada', formerNames: formerNames.slice(-20), colour: undefined },
  ])
  for (const end of ends) end()
  await Promise.all(fanouts.map((fanout) => fanout.close()))
})
