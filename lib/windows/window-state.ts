/** What a window tells the other windows of its person, on this device and on others. Read as input: presence is written by clients. */
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
  /** What was asked for: a transport, or `automatic`. */
  readonly choice?: string
  readonly protocol?: string
  readonly roundTripMs?: number
}

export interface WindowState {
  /** One page load; its lock `window:{id}` tells that it lives. */
  readonly id: string
  /** Where it stands, over reloads: who is reopened in place inherits it. */
  readonly place: string
  /** Grows with each change: the newest that was heard counts, whichever way it came. */
  readonly n: number
  readonly kind: WindowKind
  readonly document: string | null
  readonly title: string
  readonly device: Device
  /** Of use on the same device alone. */
  readonly bounds?: WindowBounds | undefined
  readonly screen?: string | undefined
  /** When its page was loaded, in ms since 1970: of two in one place the later one stays. */
  readonly openedAt: number
  /** ms since 1970; 0: not yet. */
  readonly focusedAt: number
  /** It had input within the last minutes (W4). */
  readonly active: boolean
  /** It was opened by one of our windows, so that it may close itself. */
  readonly popup: boolean
  /** It moves along with the others. */
  readonly linked: boolean
  readonly link?: WindowLink | undefined
  /** Its network simulator is on, as told. */
  readonly simulated?: NetworkConditions | undefined
  /** Asked of windows on other devices, until they heard it. */
  readonly asks?: readonly AddressedRequest[]
  /** The asks of other devices that it heard. */
  readonly heard?: readonly string[]
}

/** Where the window's page is. */
export function windowPathOf({ kind, document }: Pick<WindowState, 'kind' | 'document'>): string {
  if (kind === 'documents' || document === null) return kind === 'settings' ? '/settings' : '/'
  if (kind === 'settings') return '/settings'
  return kind === 'text' ? `/d/${document}` : panelPath(document, kind)
}

/** Long enough for any title or name that is looked at in a list. */
export const MAX_STATE_TEXT = 200

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

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

/** Undefined for what is no window's state: nothing of it is guessed. */
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
