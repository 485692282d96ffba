import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { StoreError } from '../store/store.ts'
import { openRoomsFixture, type RoomsFixture, refusalOf, RoomWindow } from './fixtures/rooms-fixture.ts'
import type { RoomRefusal } from './rooms.ts'
import { UNSAVED_EDIT_BYTES, UnsavedEdits } from './unsaved-edits.ts'

const KIB = 1024
const LIMITS = { document: 40 * KIB, principal: 100 * KIB, all: 150 * KIB }
/** With what every edit takes it makes 10 KiB. */
const UPDATE_BYTES = 10 * KIB - UNSAVED_EDIT_BYTES

describe('[A6] what is held of edits that are not on disk', () => {
  let unsaved: UnsavedEdits
  beforeEach(() => {
    unsaved = new UnsavedEdits(LIMITS)
  })

  /** How many edits of 10 KiB are admitted before one is refused. */
  function countAdmitted(principal: string, documentOf: (edit: number) => string): number {
    for (let edit = 0; ; edit++)
      try {
        unsaved.hold(principal, documentOf(edit), UPDATE_BYTES)
      } catch (error) {
        expect((error as RoomRefusal).reason).toMatchObject({ code: 'overloaded', retryAfterMs: 2_000 })
        return edit
      }
  }

  test('is limited by document, by principal and in all, so that one person stops nobody else', () => {
    expect(countAdmitted('eve', () => 'a')).toBe(4)
    expect(countAdmitted('eve', (edit) => `document ${edit}`)).toBe(6)
    expect(countAdmitted('ada', () => 'a')).toBe(0)
    expect(countAdmitted('ada', (edit) => `document ${edit}`)).toBe(5)
    expect(unsaved.bytes).toBe(LIMITS.all)
  })

  test('stops nobody who only types while a few hold all of it, until very many do', () => {
    const all = 20 * 1024 * KIB
    unsaved = new UnsavedEdits({ document: all, principal: all, all })
    unsaved.hold('eve', 'a', all - UNSAVED_EDIT_BYTES)
    expect(countAdmitted('eve', () => 'b')).toBe(0)
    expect(countAdmitted('ada', () => 'b')).toBe(2)
    for (let n = 0; n < 1_023; n++) countAdmitted(`writer ${n}`, (edit) => `${n} ${edit}`)
    expect([unsaved.bytes, countAdmitted('bob', () => 'c')]).toEqual([2 * all, 0])
  })

  test('is free again when an edit is on disk', () => {
    const release = unsaved.hold('ada', 'a', LIMITS.document - UNSAVED_EDIT_BYTES)
    expect(countAdmitted('bob', () => 'a')).toBe(0)
    release()
    expect([unsaved.bytes, countAdmitted('bob', () => 'a')]).toEqual([0, 4])
  })

  test('may be one edit of any length', () => {
    const release = unsaved.hold('ada', 'a', 2 * LIMITS.all)
    expect(() => unsaved.hold('bob', 'b', 0)).toThrow('Too much waits to be saved')
    release()
    expect(countAdmitted('bob', () => 'b')).toBe(4)
  })
})

describe('[D3] while the store fails', () => {
  let fixture: RoomsFixture
  let unsaved: UnsavedEdits
  beforeEach(async () => {
    unsaved = new UnsavedEdits(LIMITS)
    fixture = await openRoomsFixture({ unsaved })
  })
  afterEach(() => fixture[Symbol.asyncDispose]())

  test('one person holds no more than their share with six documents, others are taken, and nothing is lost', async () => {
    const { principal: eve } = await fixture.createPerson()
    const documents = await Promise.all(Array.from({ length: 6 }, () => fixture.createDocument(eve)))
    const windows = await Promise.all(documents.map((id) => RoomWindow.open(fixture.rooms, id, eve)))
    const other = await fixture.documentWithWindows()
    const [ada] = other.windows as [RoomWindow]
    fixture.store.failWith(new StoreError('the disk is full'))
    const sent = Array.from({ length: 30 }, (_, index) => {
      const window = windows[index % windows.length]!
      return window.type(String(index % 10).repeat(UPDATE_BYTES)).then(
        () => 'saved',
        (error: RoomRefusal) => error.reason.code,
      )
    })
    const typed = ada.type('ada')
    await waitUntil(() => other.windows[1]!.storeStatuses.length > 0)
    expect(unsaved.bytes).toBeLessThanOrEqual(LIMITS.principal + UNSAVED_EDIT_BYTES + KIB)
    expect(unsaved.bytes).toBeGreaterThan(LIMITS.principal - 11 * KIB)
    fixture.store.failWith(null)
    await typed
    const outcomes = await Promise.all(sent)
    expect(new Set(outcomes)).toEqual(new Set(['saved', 'overloaded']))
    expect(unsaved.bytes).toBe(0)
    expect((await fixture.read(other.id)).getText('trace').toJSON()).toBe('ada')
    const stored = await Promise.all(
      documents.map(async (id) => (await fixture.read(id)).getText('trace').length),
    )
    const saved = outcomes.filter((outcome) => outcome === 'saved').length
    expect(stored.reduce((sum, length) => sum + length, 0)).toBe(saved * UPDATE_BYTES)
  })

  test('an edit that is refused for another reason, or whose room fails, is held no longer', async () => {
    const { windows } = await fixture.documentWithWindows()
    const [ada] = windows as [RoomWindow]
    expect((await refusalOf(ada.send(Uint8Array.of(1, 2, 3)))).code).toBe('bad-update')
    expect(unsaved.bytes).toBe(0)
  })
})
