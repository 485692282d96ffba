/**
 * What one window asks of another of the same person. Each is harmless when it comes twice, and when nobody answers. Read as input:
 * those from other devices come as presence.
 */
import { isDocumentId } from '../protocol/ids.ts'
import type { TransportChoice } from '../transports/choose.ts'
import { type Conditions, readConditions } from '../transports/conditions.ts'
import { networkTransports } from '../transports/transport.ts'
import { type Bounds, readBounds } from './bounds.ts'
import { isPanelId, type PanelId } from './panels.ts'
import { readWish, type Wish } from './wish.ts'

export const transportChoices: readonly TransportChoice[] = ['automatic', ...networkTransports]

export type Request =
  /** Go away: the panel is docked, or stands elsewhere. */
  | { readonly type: 'close' }
  /** Take that panel beside the text, out of its window. */
  | { readonly type: 'dock'; readonly panel: PanelId }
  /** Another page has taken this window's place: close, or say so where the browser does not let it. */
  | { readonly type: 'replaced' }
  /** Be noticed: a window cannot bring itself forward. */
  | { readonly type: 'show' }
  /** Offer the person there to open it. */
  | {
      readonly type: 'open'
      readonly document: string
      readonly kind: 'text' | PanelId
      readonly title: string
    }
  /** Stand elsewhere: windows that a script has opened can. */
  | { readonly type: 'move'; readonly bounds: Bounds }
  /** Move along with the others, or no longer. */
  | { readonly type: 'link'; readonly linked: boolean }
  | { readonly type: 'undo' | 'redo' }
  /** For the panel that the window shows. */
  | { readonly type: 'wish'; readonly wish: Wish }
  /** Use another transport, in that window alone. */
  | { readonly type: 'transport'; readonly choice: TransportChoice }
  /** Simulate a network, in that window alone; null: no longer. */
  | { readonly type: 'simulate'; readonly conditions: Conditions | null }
  /** Break the link in use. */
  | { readonly type: 'cut' }

/** A request to a window of another device, as it stands in the asking one's presence. */
export interface Ask {
  readonly id: string
  /** The window asked. */
  readonly to: string
  readonly what: Request
}

type Said = Readonly<Record<string, unknown>>

const readers: { readonly [type in Request['type']]: (said: Said) => Request | undefined } = {
  close: () => ({ type: 'close' }),
  dock: ({ panel }) => (isPanelId(panel) ? { type: 'dock', panel } : undefined),
  replaced: () => ({ type: 'replaced' }),
  show: () => ({ type: 'show' }),
  undo: () => ({ type: 'undo' }),
  redo: () => ({ type: 'redo' }),
  link: ({ linked }) => (typeof linked === 'boolean' ? { type: 'link', linked } : undefined),
  wish: ({ wish: value }) => {
    const wish = readWish(value)
    return wish && { type: 'wish', wish }
  },
  transport({ choice }) {
    const known = transportChoices.find((one) => one === choice)
    return known && { type: 'transport', choice: known }
  },
  simulate({ conditions: value }) {
    const conditions = value === null ? null : readConditions(value)
    return conditions === undefined ? undefined : { type: 'simulate', conditions }
  },
  cut: () => ({ type: 'cut' }),
  move: (said) => {
    const bounds = readBounds(said.bounds)
    return bounds && { type: 'move', bounds }
  },
  open: ({ document, kind, title }) =>
    typeof document === 'string' && isDocumentId(document) && (kind === 'text' || isPanelId(kind))
      ? { type: 'open', document, kind, title: typeof title === 'string' ? title.slice(0, 200) : '' }
      : undefined,
}

/** Undefined for one that this page does not know: a newer page may ask more. */
export function readRequest(value: unknown): Request | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const said = value as Said
  const { type } = said
  return typeof type === 'string' && Object.hasOwn(readers, type)
    ? readers[type as Request['type']](said)
    : undefined
}

export function readAsks(value: unknown): readonly Ask[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const { id, to, what } = entry as Said
    const request = readRequest(what)
    return request && typeof id === 'string' && typeof to === 'string' ? [{ id, to, what: request }] : []
  })
}
