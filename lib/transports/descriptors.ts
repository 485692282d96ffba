/**
 * What is known of each transport before its code is loaded, in the order of preference. Its type, the setting TRANSPORTS, the paths that
 * a server refuses where it is not offered, sharing between windows, and the lists of tests follow from its entry.
 *
 * A new transport needs a file here (`Transport`), one in server/gateways, its words in lib/strings/transports.ts, an entry below and a
 * line in each registry; the compiler names what is missing.
 */
import { paths } from '../protocol/http.ts'

export interface TransportCapabilities {
  /** Whether frames can go up while another is still on its way (batched POSTs cannot). */
  readonly fullDuplex: boolean
  /** The factor by which a frame grows on its way down, roughly: base64 is 4/3. */
  readonly downFactor: number
}

export interface TransportDescriptor extends TransportCapabilities {
  /** Its requests stay open, of which HTTP/1.1 allows few: the windows of one browser may share a link. */
  readonly isShareable: boolean
  /** The path of the request that opens a link: one request for each link. */
  readonly linkPath: string
  /** Every path that is its own, that of `linkPath` included. */
  readonly ownPaths: readonly string[]
}

export const transportDescriptors = {
  websocket: {
    fullDuplex: true,
    downFactor: 1,
    isShareable: false,
    linkPath: paths.websocket,
    ownPaths: [paths.websocket],
  },
  // Only a streamed body makes it full duplex, which is known only once a link is open (LinkInfo.up).
  sse: {
    fullDuplex: false,
    downFactor: 4 / 3,
    isShareable: true,
    linkPath: paths.sseTicket,
    ownPaths: [paths.sseTicket, paths.sse],
  },
  stream: {
    fullDuplex: false,
    downFactor: 1,
    isShareable: true,
    linkPath: paths.stream,
    ownPaths: [paths.stream],
  },
  'long-poll': {
    fullDuplex: false,
    downFactor: 1,
    isShareable: true,
    linkPath: paths.longPoll,
    ownPaths: [paths.longPoll],
  },
  // It holds no request open, and a worker does not know whether somebody looks, as its interval needs.
  poll: {
    fullDuplex: false,
    downFactor: 1,
    isShareable: false,
    linkPath: paths.poll,
    ownPaths: [paths.poll],
  },
} as const satisfies Record<string, TransportDescriptor>

/** The transports that need a network. */
export type NetworkTransportId = keyof typeof transportDescriptors

/** In the order of preference. */
export const networkTransports = Object.keys(transportDescriptors) as readonly NetworkTransportId[]
