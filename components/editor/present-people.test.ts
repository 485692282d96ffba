import { expect, test } from 'vitest'
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { palette } from '@/lib/protocol/palette.ts'
import { colourOf } from './colour.ts'
import { presentPeople, shownColour } from './present-people.ts'

function awareness(): Awareness {
  const made = new Awareness(new Y.Doc())
  clearInterval(made._checkInterval)
  return made
}

test('somebody who is renamed is named anew at once, and nothing changes where only a caret moves', () => {
  const [here, other] = [awareness(), awareness()]
  const people = presentPeople(here)
  let heard = 0
  people.subscribe(() => (heard += 1))
  const tell = (state: object) => {
    other.setLocalState(state)
    applyAwarenessUpdate(here, encodeAwarenessUpdate(other, [other.clientID]), 'server')
  }
  tell({ user: { id: 'user:ada', name: 'Quiet Otter', color: palette.teal } })
  expect(people.get().get('user:ada')).toEqual({ name: 'Quiet Otter', colour: palette.teal })
  tell({ user: { id: 'user:ada', name: 'Ada', color: palette.pink } })
  const renamed = people.get()
  expect(renamed.get('user:ada')).toEqual({ name: 'Ada', colour: palette.pink })
  tell({ user: { id: 'user:ada', name: 'Ada', color: palette.pink }, idle: true })
  expect(people.get()).toBe(renamed)
  expect(heard).toBe(3)
  expect(presentPeople(here)).toBe(people)
})

test('programs that came by one link share an id, and are marked; who is not here has the colour of their id', () => {
  const here = awareness()
  here.setLocalState({ user: { id: 'link:one', name: 'Ada' } })
  const people = presentPeople(here)
  expect(people.get().get('link:one')?.name).toBe('Ada (by link)')
  expect(shownColour(people, 'user:away')).toBe(colourOf('user:away'))
})
