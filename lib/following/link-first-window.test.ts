import { beforeEach, expect, test } from 'vitest'
import {
  applyAwarenessUpdate,
  Awareness,
  encodeAwarenessUpdate,
  removeAwarenessStates,
} from 'y-protocols/awareness'
import * as Y from 'yjs'
import { FakeLocks } from '../fixtures/fake-locks.ts'
import { linkFirstWindow } from './link-first-window.ts'

const person = 'user:a'
const turn = () => new Promise((resolve) => setTimeout(resolve))

/** A window with the text; windows with the same `browser` share locks. */
class TextWindow {
  readonly awareness = new Awareness(new Y.Doc())
  readonly synced = Promise.withResolvers<void>()
  readonly locks
  readonly isLocal: (client: number) => boolean
  linked = false
  close = () => {}

  constructor(browser: FakeLocks, isLocal: (client: number) => boolean = () => false) {
    this.isLocal = isLocal
    this.locks = browser.window()
    clearInterval(this.awareness._checkInterval)
    this.#setPresence()
  }

  open(): this {
    const { locks, awareness, isLocal } = this
    const dependencies = { locks, awareness, document: 'd', person, isLocal, whenSynced: this.synced.promise }
    this.close = linkFirstWindow(dependencies, (linked) => {
      this.linked = linked
      this.#setPresence()
    })
    return this
  }

  receivePresence(other: TextWindow): void {
    applyAwarenessUpdate(
      this.awareness,
      encodeAwarenessUpdate(other.awareness, [other.awareness.clientID]),
      'test',
    )
  }

  removePresence(other: TextWindow): void {
    removeAwarenessStates(this.awareness, [other.awareness.clientID], 'test')
  }

  #setPresence(): void {
    this.awareness.setLocalState({ user: { id: person }, window: { kind: 'text', linked: this.linked } })
  }
}

let browser: FakeLocks
beforeEach(() => {
  browser = new FakeLocks()
})

test('the only window with the text moves along; a second does not, until the first is gone', async () => {
  const first = new TextWindow(browser).open()
  await turn()
  const second = new TextWindow(browser, (client) => client === first.awareness.clientID).open()
  second.receivePresence(first)
  await turn()
  expect([first.linked, second.linked]).toEqual([true, false])
  first.close()
  await turn()
  expect(second.linked).toBe(true)
})

test('a window opened right after another of its browser was closed is linked as soon as presence drops that one', async () => {
  const closed = new TextWindow(browser).open()
  await turn()
  const opened = new TextWindow(browser).open()
  opened.receivePresence(closed)
  opened.synced.resolve()
  await turn()
  expect(opened.linked).toBe(false)
  closed.close()
  await turn()
  opened.removePresence(closed)
  expect(opened.linked).toBe(true)
})

test('while a window on another device is linked this one stands still, until that one is gone', async () => {
  const desk = new TextWindow(new FakeLocks()).open()
  await turn()
  const phone = new TextWindow(browser).open()
  phone.receivePresence(desk)
  phone.synced.resolve()
  await turn()
  expect(phone.linked).toBe(false)
  phone.removePresence(desk)
  expect(phone.linked).toBe(true)
})
