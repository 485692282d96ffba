/**
 * The requests that one window sends to another of the same person. Each is harmless when it comes twice, and when nobody handles it.
 * They are validated like input: those from other devices come as presence.
 */
import { isRecord } from '../protocol/value-reader.ts'
import { isDocumentId } from '../protocol/ids.ts'
import type { TransportChoice } from '../transports/choose-transport.ts'
import { type NetworkConditions, readNetworkConditions } from '../transports/network-conditions.ts'
import { networkTransports } from '../transports/descriptors.ts'
import { type WindowBounds, readWindowBounds } from './window-bounds.ts'
import { isPanelId, type PanelId } from './panels.ts'
import { readPanelCommand, type PanelCommand } from './panel-command.ts'

export const transportChoices: readonly TransportChoice[] = ['automatic', ...networkTransports]

export type WindowRequest =
  /** Close the window: the panel is docked, or stands elsewhere. */
  | { readonly type: 'close' }
  /** Dock that panel beside the text, out of its window. */
  | { readonly type: 'dock'; readonly panel: PanelId }
  /** Another page has taken this window's slot: close, or say so where the browser does not allow that. */
  | { readonly type: 'replaced' }
  /** Draw attention: a window cannot bring itself forward. */
  | { readonly type: 'show' }
  /** Offer the document to the person there. */
  | {
      readonly type: 'open'
      readonly document: string
      readonly kind: 'text' | PanelId
      readonly title: string
    }
  /** Move the window: those that a script has opened can. */
  | { readonly type: 'move'; readonly bounds: WindowBounds }
  /** Move along with the others, or no longer. */
  | { readonly type: 'link'; readonly linked: boolean }
  | { readonly type: 'undo' | 'redo' }
  /** A command for the panel that the window shows. */
  | { readonly type: 'wish'; readonly wish: PanelCommand }
  /** Use another transport, in that window alone. */
  | { readonly type: 'transport'; readonly choice: TransportChoice }
  /** Simulate a network, in that window alone; null: no longer. */
  | { readonly type: 'simulate'; readonly conditions: NetworkConditions | null }
  /** Break the link in use. */
  | { readonly type: 'cut' }

/** A request to a window of another device, as it stands in the sender's presence. */
export interface AddressedRequest {
  readonly id: string
  /** The window that the request is for. */
  readonly to: string
  readonly what: WindowRequest
}

type JsonRecord = Readonly<Record<string, unknown>>

const requestReaders: {
  readonly [type in WindowRequest['type']]: (fields: JsonRecord) => WindowRequest | undefined
} = {
  close: () => ({ type: 'close' }),
  dock: ({ panel }) => (isPanelId(panel) ? { type: 'dock', panel } : undefined),
  replaced: () => ({ type: 'replaced' }),
  show: () => ({ type: 'show' }),
  undo: () => ({ type: 'undo' }),
  redo: () => ({ type: 'redo' }),
  link: ({ linked }) => (typeof linked === 'boolean' ? { type: 'link', linked } : undefined),
  wish: ({ wish: value }) => {
    const wish = readPanelCommand(value)
    return wish && { type: 'wish', wish }
  },
  transport({ choice }) {
    const known = transportChoices.find((one) => one === choice)
    return known && { type: 'transport', choice: known }
  },
  simulate({ conditions: value }) {
    const conditions = value === null ? null : readNetworkConditions(value)
    return conditions === undefined ? undefined : { type: 'simulate', conditions }
  },
  cut: () => ({ type: 'cut' }),
  move: (fields) => {
    const bounds = readWindowBounds(fields.bounds)
    return bounds && { type: 'move', bounds }
  },
  open: ({ document, kind, title }) =>
    typeof document === 'string' && isDocumentId(document) && (kind === 'text' || isPanelId(kind))
      ? { type: 'open', document, kind, title: typeof title === 'string' ? title.slice(0, 200) : '' }
      : undefined,
}

/** Returns undefined for a request that this page does not know: a newer page may have more. */
export function readWindowRequest(value: unknown): WindowRequest | undefined {
  if (!isRecord(value)) return undefined
  const { type } = value
  return typeof type === 'string' && Object.hasOwn(requestReaders, type)
    ? requestReaders[type as WindowRequest['type']](value)
    : undefined
}

export function readAddressedRequests(value: unknown): readonly AddressedRequest[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return []
    const { id, to, what } = entry
    const request = readWindowRequest(what)
    return request && typeof id === 'string' && typeof to === 'string' ? [{ id, to, what: request }] : []
  })
}
