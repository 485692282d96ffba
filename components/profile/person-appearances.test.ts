import { expect, test } from 'vitest'
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { palette } from '@/lib/protocol/palette.ts'
import { defaultColourOf } from './person-colours.ts'
import { personAppearancesOf, colourOfPerson } from './person-appearances.ts'

function createAwareness(): Awareness {
  const created = new Awareness(new Y.Doc())
  clearInterval(created._checkInterval)
  return created
}

test("a person's new name appears at once, and a moved caret alone changes nothing", () => {
  const [local, remote] = [createAwareness(), createAwareness()]
  const people = personAppearancesOf(local)
  let notifications = 0
  people.subscribe(() => (notifications += 1))
  const receivePresence = (state: object) => {
    remote.setLocalState(state)
    applyAwarenessUpdate(local, encodeAwarenessUpdate(remote, [remote.clientID]), 'server')
  }
  receivePresence({ user: { id: 'user:ada', name: 'Quiet Otter', color: palette.teal } })
  expect(people.get().get('user:ada')).toEqual({ name: 'Quiet Otter', colour: palette.teal })
  receivePresence({ user: { id: 'user:ada', name: 'Ada', color: palette.pink } })
  const renamed = people.get()
  expect(renamed.get('user:ada')).toEqual({ name: 'Ada', colour: palette.pink })
  receivePresence({ user: { id: 'user:ada', name: 'Ada', color: palette.pink }, idle: true })
  expect(people.get()).toBe(renamed)
  expect(notifications).toBe(3)
  expect(personAppearancesOf(local)).toBe(people)
})

test('programs that came by one link share an id and are marked; a person who is not here has the colour of their id', () => {
  const local = createAwareness()
  local.setLocalState({ user: { id: 'link:one', name: 'Ada' } })
  const people = personAppearancesOf(local)
  expect(people.get().get('link:one')?.name).toBe('Ada (by link)')
  expect(colourOfPerson(people, 'user:away')).toBe(defaultColourOf('user:away'))
})
