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
    this.#layouts?.set(this.#document, next)
  }

  get #layouts() {
    return this.#desk?.doc.getMap<unknown>('layouts')
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
    const layout = readLayout(storedLayout)
    if (JSON.stringify(layout) !== JSON.stringify(this.#layout)) this.#setLayout(layout)
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
