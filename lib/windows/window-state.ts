/**
 * The state that a window sends to the other windows of its person, on this device and on others. It is validated like input, because
 * presence is written by clients.
 */
import { isRecord } from '../protocol/value-reader.ts'
import { type WindowBounds, readWindowBounds } from './window-bounds.ts'
import { isDocumentId } from '../protocol/ids.ts'
import { type NetworkConditions, readNetworkConditions } from '../transports/network-conditions.ts'
import { type AddressedRequest, readAddressedRequests } from './window-requests.ts'
import { isPanelId, panelPath, type PanelId } from './panels.ts'

export type WindowKind = 'text' | 'documents' | 'settings' | PanelId

interface Device {
  /** One browser of one device, as long as it keeps its storage. */
  readonly id: string
  /** "Chrome on Linux" */
  readonly name: string
}

interface WindowLink {
  readonly transport: string
  /** The chosen transport, or `automatic`. */
  readonly choice?: string
  readonly protocol?: string
  readonly roundTripMs?: number
}

export interface WindowState {
  /** One page load; its lock `window:{id}` shows that it lives. */
  readonly id: string
  /** The window's slot, the same over reloads: a window that reopens it inherits it. */
  readonly place: string
  /** Grows with each change: the newest state that was received counts, whichever way it came. */
  readonly n: number
  readonly kind: WindowKind
  readonly document: string | null
  readonly title: string
  readonly device: Device
  /** Useful on the same device alone. */
  readonly bounds?: WindowBounds | undefined
  readonly screen?: string | undefined
  /** When its page was loaded, in ms since 1970: of two windows in one slot the later one stays. */
  readonly openedAt: number
  /** In ms since 1970; 0 while it never had the focus. */
  readonly focusedAt: number
  /** Whether it had input within the last minutes (W4). */
  readonly active: boolean
  /** Whether one of our windows opened it, so that it may close itself. */
  readonly popup: boolean
  /** Whether it moves along with the others. */
  readonly linked: boolean
  readonly link?: WindowLink | undefined
  /** The conditions that its network simulator was told to apply, while that is on. */
  readonly simulated?: NetworkConditions | undefined
  /** Requests to windows on other devices, until those received them. */
  readonly asks?: readonly AddressedRequest[]
  /** Ids of the requests from other devices that it received. */
  readonly heard?: readonly string[]
}

/** The path of the window's page. */
export function windowPathOf({ kind, document }: Pick<WindowState, 'kind' | 'document'>): string {
  if (kind === 'documents' || document === null) return kind === 'settings' ? '/settings' : '/'
  if (kind === 'settings') return '/settings'
  return kind === 'text' ? `/d/${document}` : panelPath(document, kind)
}

/** Long enough for any title or name in a list. */
export const MAX_STATE_TEXT = 200

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_STATE_TEXT

const isKind = (value: unknown): value is WindowKind =>
  value === 'text' || value === 'documents' || value === 'settings' || isPanelId(value)

function readDevice(value: unknown): Device | undefined {
  if (!isRecord(value) || !isText(value.id) || !isText(value.name)) return undefined
  return { id: value.id, name: value.name }
}

function readLink(value: unknown): WindowLink | undefined {
  if (!isRecord(value) || !isText(value.transport)) return undefined
  const { transport, choice, protocol, roundTripMs } = value
  return {
    transport,
    ...(isText(choice) && { choice }),
    ...(isText(protocol) && { protocol }),
    ...(isNumber(roundTripMs) && { roundTripMs }),
  }
}

/** Returns undefined for what is no window's state: nothing of it is guessed. */
export function readWindowState(value: unknown): WindowState | undefined {
  if (!isRecord(value)) return undefined
  const { id, place, n, kind, document, title, openedAt, focusedAt, screen, heard } = value
  const device = readDevice(value.device)
  if (!device || !isText(id) || !isText(place) || !isNumber(n) || !isKind(kind)) return undefined
  const bounds = readWindowBounds(value.bounds)
  const link = readLink(value.link)
  const simulated = readNetworkConditions(value.simulated)
  return {
    id,
    place,
    n,
    kind,
    device,
    document: isText(document) && isDocumentId(document) ? document : null,
    title: typeof title === 'string' ? title.slice(0, MAX_STATE_TEXT) : '',
    openedAt: isNumber(openedAt) ? openedAt : 0,
    focusedAt: isNumber(focusedAt) ? focusedAt : 0,
    active: value.active === true,
    popup: value.popup === true,
    linked: value.linked === true,
    ...(bounds && { bounds }),
    ...(isText(screen) && { screen }),
    ...(link && { link }),
    ...(simulated && { simulated }),
    asks: readAddressedRequests(value.asks),
    heard: Array.isArray(heard) ? heard.filter(isText) : [],
  }
}
