import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { MAX_EDIT_OBJECTS } from '../../lib/protocol/limits.ts'
import {
  type RoomsFixture,
  openRoomsFixtureForFile,
  refusalOf,
  type RoomWindow,
} from './fixtures/rooms-fixture.ts'

let fixture: RoomsFixture
openRoomsFixtureForFile((opened) => (fixture = opened))

test('[A6] millions of empty objects, of which each edit has fewer than the limit, are refused before they are built', async () => {
  const { windows, open } = await fixture.documentWithWindows(1)
  const [ada] = windows as [RoomWindow]
  const objects = Array.from({ length: MAX_EDIT_OBJECTS }, () => ({}))
  const more = (): Promise<void> => {
    const before = Y.encodeStateVector(ada.doc)
    ada.doc.getArray('objects').push(objects)
    return ada.send(Y.encodeStateAsUpdate(ada.doc, before))
  }
  for (let edit = 0; edit < 3; edit++) await more()
  expect(await refusalOf(more())).toEqual({
    code: 'too-large',
    detail: expect.stringContaining('256 MiB of the server’s memory (MAX_DOCUMENT_MEMORY)') as string,
  })
  expect((await open()).doc.getArray('objects').length).toBe(3 * MAX_EDIT_OBJECTS)
})
