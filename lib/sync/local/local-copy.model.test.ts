/**
 * Windows of one browser type, get edits saved, copy and die in any order. What one of them stored is on the server or is found by the
 * next window, once, and the server is still owed exactly what it lacks.
 */
import * as fc from 'fast-check'
import * as Y from 'yjs'
import { expect, test } from 'vitest'
import { ManualClock } from '../../session/fixtures/manual-clock.ts'
import { FakeStorageBrowser, type FakeStorageWindow } from './fixtures/fake-storage-browser.ts'
import { LocalCopy } from './local-copy.ts'
import { settle } from '../../fixtures/wait.ts'

/** IndexedDB answers within so many turns of the event loop. */
const IDB_TURNS = 60

/** Typed edits that the server lacks are on their way to the disk by then: while it saves, and while it does not. */
const batchMs = (isServerSaving: boolean): number => (isServerSaving ? 160 : 20)
/** Saved rows are marked by then. */
const MARK_WAIT_MS = 1_000

const key = { document: 'one', part: 'body' } as const

const tokensOf = (doc: Y.Doc): string[] => [...doc.getMap('tokens').keys()].toSorted()

/** A window with a document and no session: the test decides when the server has saved what it sent. */
class ModelWindow {
  readonly doc = new Y.Doc()
  readonly copy: LocalCopy
  /** Edits since the last known write. */
  typed: string[] = []
  removed: string[] = []
  readonly #browser: FakeStorageWindow
  #edits = 0
  #saved = 0

  private constructor(browser: FakeStorageWindow) {
    this.#browser = browser
    this.copy = new LocalCopy(key, browser)
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      this.copy.onChanged()
      if (origin !== this) this.copy.appendEdit(update, ++this.#edits)
    })
  }

  static async open(browser: FakeStorageWindow, isServerSaving: boolean): Promise<ModelWindow> {
    const window = new ModelWindow(browser)
    await window.copy.open({
      applyUpdates: (updates, changes) => {
        for (const update of updates) Y.applyUpdate(window.doc, update, window)
        return (window.#edits += changes)
      },
      onCopyFound: () => {},
      onWritten: () => {},
      isServerSaving: () => isServerSaving,
      currentText: () => ({
        state: window.hasUnsaved ? null : Y.encodeStateAsUpdate(window.doc),
        title: '',
        role: 'editor',
      }),
    })
    return window
  }

  get hasUnsaved(): boolean {
    return this.#edits > this.#saved
  }

  type(token: string): void {
    this.doc.getMap('tokens').set(token, true)
    this.typed.push(token)
  }

  remove(token: string): void {
    this.doc.getMap('tokens').delete(token)
    this.removed.push(token)
  }

  /** The server gets all that this window has, and the window learns it. */
  sync(server: Y.Doc): void {
    if (this.hasUnsaved) Y.applyUpdate(server, Y.encodeStateAsUpdate(this.doc))
    const answer = Y.encodeStateAsUpdate(server)
    Y.applyUpdate(this.doc, answer, this)
    this.copy.onServerUpdate(answer)
    this.#saved = this.#edits
    this.copy.onSaved(this.#saved)
  }

  die(): void {
    this.#browser.crash()
    this.copy.close()
  }
}

type ModelStep =
  | { readonly does: 'open' | 'copy' }
  | { readonly does: 'type' | 'type now' | 'remove' | 'sync' | 'die'; readonly window: number }

const windowNumber = fc.nat(3)
const modelStep: fc.Arbitrary<ModelStep> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('open', 'copy') }) },
  {
    weight: 7,
    arbitrary: fc.record({
      // "Now" means that the next step comes before anything is stored.
      does: fc.constantFrom('type', 'type now', 'remove', 'sync', 'die'),
      window: windowNumber,
    }),
  },
)

/** A window that has not received a letter is elected after the one that copied it. */
const electedAfterAnother: ModelStep[] = [
  { does: 'open' },
  { does: 'open' },
  { does: 'type', window: 0 },
  { does: 'copy' },
  { does: 'sync', window: 0 },
  { does: 'die', window: 0 },
  { does: 'open' },
  { does: 'open' },
  { does: 'copy' },
  { does: 'type', window: 0 },
]

const modelRun = fc.tuple(fc.boolean(), fc.array(modelStep, { minLength: 4, maxLength: 20 }))

test('[D6] whatever the windows of a browser do, what was stored is kept once and sent', async () => {
  await fc.assert(
    fc.asyncProperty(modelRun, async ([isServerSaving, steps]) => {
      const clock = new ManualClock()
      const browser = new FakeStorageBrowser(clock)
      const server = new Y.Doc()
      const windows: ModelWindow[] = []
      const typed = new Set<string>()
      const removed = new Set<string>()
      const touched = new Set<string>()
      const recordStored = (window: ModelWindow): void => {
        expect(window.copy.unstored).toBe(0)
        for (const token of window.typed.splice(0)) typed.add(token)
        for (const token of window.removed.splice(0)) removed.add(token)
      }
      let count = 0
      const run = async ({ does, ...of }: ModelStep): Promise<void> => {
        if (does === 'open')
          return void windows.push(await ModelWindow.open(browser.openWindow(), isServerSaving))
        if (does === 'copy') return clock.pass(2_500)
        const window = 'window' in of ? windows[of.window % windows.length] : undefined
        if (!window) return
        const victim = tokensOf(window.doc)[0]
        if (does === 'type' || does === 'type now') window.type(`t${++count}`)
        if (does === 'sync') window.sync(server)
        if (does === 'remove' && victim) {
          window.remove(victim)
          touched.add(victim)
        }
        if (does === 'die') windows.splice(windows.indexOf(window), 1)[0]!.die()
      }
      for (const one of steps) {
        await run(one)
        if (one.does === 'type now') continue
        await clock.pass(batchMs(isServerSaving))
        await settle(IDB_TURNS)
        windows.forEach(recordStored)
      }
      for (const window of windows) window.die()
      await settle(IDB_TURNS)
      const last = await ModelWindow.open(browser.openWindow(), isServerSaving)
      await settle(IDB_TURNS)
      const expectStored = (tokens: readonly string[]): void => {
        for (const token of typed) if (!touched.has(token)) expect(tokens).toContain(token)
        for (const token of removed) expect(tokens).not.toContain(token)
      }
      // Without the server. While that saves, it alone may have what a window had not written when it died.
      if (!isServerSaving) expectStored(tokensOf(last.doc))
      last.sync(server)
      const kept = tokensOf(server)
      expectStored(kept)
      expect(tokensOf(last.doc)).toEqual(kept)
      await clock.pass(MARK_WAIT_MS)
      await expect.poll(() => browser.store.listUnsavedRows()).toEqual([])
      last.die()
    }),
    { numRuns: 150, examples: [[[false, electedAfterAnother]]] },
  )
})
