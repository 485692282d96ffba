/**
 * The layout of one document's panels: kept in the person's desk, so that it is the same on their other devices, and mirrored in this
 * browser, so that it is there before the desk is. Knows no React.
 */
import type { OpenPart } from '@/lib/sync/part.ts'
import { readLayout, type Layout } from '@/lib/windows/layout.ts'
import { notifyAll } from '@/lib/notify-all.ts'

export interface MirrorLike {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

const keyOf = (document: string): string => `diptych.layout:${document}`

export class LayoutStore {
  readonly #document: string
  readonly #desk: Pick<OpenPart, 'doc'> | null
  readonly #mirror: MirrorLike
  readonly #listeners = new Set<() => void>()
  #layout: Layout

  constructor(document: string, desk: Pick<OpenPart, 'doc'> | null, mirror: MirrorLike) {
    this.#document = document
    this.#desk = desk
    this.#mirror = mirror
    this.#layout = this.#kept ? readLayout(this.#kept) : readLayout(this.#mirrored())
  }

  get = (): Layout => this.#layout

  /** Listens to the desk for as long as somebody listens here. */
  subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) this.#listen()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#layouts?.unobserve(this.#onDesk)
    }
  }

  update = (change: (layout: Layout) => Layout): void => {
    const next = change(this.#layout)
    if (JSON.stringify(next) === JSON.stringify(this.#layout)) return
    this.#show(next)
    this.#layouts?.set(this.#document, next)
  }

  get #layouts() {
    return this.#desk?.doc.getMap<unknown>('layouts')
  }

  get #kept(): unknown {
    return this.#layouts?.get(this.#document)
  }

  #listen(): void {
    this.#layouts?.observe(this.#onDesk)
    this.#onDesk()
  }

  readonly #onDesk = (): void => {
    const kept = this.#kept
    if (kept === undefined) return
    const layout = readLayout(kept)
    if (JSON.stringify(layout) !== JSON.stringify(this.#layout)) this.#show(layout)
  }

  #show(layout: Layout): void {
    this.#layout = layout
    this.#remember(layout)
    notifyAll(this.#listeners)
  }

  // Storage can be forbidden, and anybody may have written there.

  #mirrored(): unknown {
    try {
      return JSON.parse(this.#mirror.getItem(keyOf(this.#document)) ?? 'null')
    } catch {
      return null
    }
  }

  #remember(layout: Layout): void {
    try {
      this.#mirror.setItem(keyOf(this.#document), JSON.stringify(layout))
    } catch {
      // Then it comes with the desk.
    }
  }
}
