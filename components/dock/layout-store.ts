/**
 * The panel layout of one document. It is stored in the person's desk, so that it is the same on their other devices, and mirrored in this
 * browser, so that it is there before the desk has loaded. Knows no React.
 */
import type { OpenPart } from '@/lib/sync/synced-part.ts'
import { readLayout, type PanelLayout } from '@/lib/windows/panel-layout.ts'
import { Subscribable } from '@/lib/subscribable.ts'

export interface LayoutMirror {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/** How many layouts a desk holds, of some 300 bytes each: it is one Y.Doc, which a server ends at 1 MiB. */
const MAX_LAYOUTS = 100

const DAY_MS = 86_400_000

const storageKeyOf = (document: string): string => `diptych.layout:${document}`

export class LayoutStore {
  readonly #document: string
  readonly #desk: Pick<OpenPart, 'doc'> | null
  readonly #mirror: LayoutMirror
  /** Listens to the desk only while this store has listeners. */
  readonly #listeners = new Subscribable(
    () => this.#observeDesk(),
    () => this.#layouts?.unobserve(this.#onDeskChange),
  )
  #layout: PanelLayout

  constructor(document: string, desk: Pick<OpenPart, 'doc'> | null, mirror: LayoutMirror) {
    this.#document = document
    this.#desk = desk
    this.#mirror = mirror
    this.#layout = this.#storedLayout ? readLayout(this.#storedLayout) : readLayout(this.#readMirror())
  }

  get = (): PanelLayout => this.#layout

  readonly subscribe = this.#listeners.subscribe

  update = (change: (layout: PanelLayout) => PanelLayout): void => {
    const next = change(this.#layout)
    if (JSON.stringify(next) === JSON.stringify(this.#layout)) return
    this.#setLayout(next)
    this.#desk?.doc.transact(() => {
      this.#layouts?.set(this.#document, next)
      this.#noteUse()
      this.#removeUnused()
    })
  }

  get #layouts() {
    return this.#desk?.doc.getMap<unknown>('layouts')
  }

  /** The day on which each layout was last used, counted from 1970. */
  get #days() {
    return this.#desk?.doc.getMap<unknown>('layoutDays')
  }

  get #storedLayout(): unknown {
    return this.#layouts?.get(this.#document)
  }

  #observeDesk(): void {
    this.#layouts?.observe(this.#onDeskChange)
    this.#onDeskChange()
  }

  readonly #onDeskChange = (): void => {
    const storedLayout = this.#storedLayout
    if (storedLayout === undefined) return
    // Not within the desk's own transaction, which may be another device's.
    queueMicrotask(() => this.#noteUse())
    const layout = readLayout(storedLayout)
    if (JSON.stringify(layout) !== JSON.stringify(this.#layout)) this.#setLayout(layout)
  }

  /** Writes once a day. */
  #noteUse(): void {
    const today = Math.floor(Date.now() / DAY_MS)
    if (this.#storedLayout !== undefined && this.#days?.get(this.#document) !== today)
      this.#days?.set(this.#document, today)
  }

  /** Removes the layouts that were not used for longest. Windows that do so at once choose the same ones. */
  #removeUnused(): void {
    const [layouts, days] = [this.#layouts, this.#days]
    if (!layouts || !days || layouts.size <= MAX_LAYOUTS) return
    const dayOf = (document: string): number => Number(days.get(document)) || 0
    const byUse = [...layouts.keys()].toSorted((a, b) => dayOf(a) - dayOf(b) || (a < b ? -1 : 1))
    for (const document of byUse
      .filter((one) => one !== this.#document)
      .slice(0, layouts.size - MAX_LAYOUTS)) {
      layouts.delete(document)
      days.delete(document)
    }
  }

  #setLayout(layout: PanelLayout): void {
    this.#layout = layout
    this.#writeMirror(layout)
    this.#listeners.notify()
  }

  // Storage may be blocked, and its content is untrusted.

  #readMirror(): unknown {
    try {
      return JSON.parse(this.#mirror.getItem(storageKeyOf(this.#document)) ?? 'null')
    } catch {
      return null
    }
  }

  #writeMirror(layout: PanelLayout): void {
    try {
      this.#mirror.setItem(storageKeyOf(this.#document), JSON.stringify(layout))
    } catch {
      // Without storage, the layout comes with the desk.
    }
  }
}
