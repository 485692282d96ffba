/** What the listener grants to one connection or request (A6). The limits stand in one file, so that an operator can read them. */

/** Limits the request line and headers together, in both HTTP versions. */
export const MAX_HEADER_BYTES = 16 * 1024

/** Limits a request body of the HTTP API. Text goes through the sync gateways, which have their own limits. */
export const MAX_BODY_BYTES = 64 * 1024

/** The time in which the whole body of an API request must arrive. The sync gateways' streamed uploads last as long as their link. */
export const BODY_TIMEOUT_MS = 30_000

/** A body that is a file may take longer: in each such time it has to bring so many bytes. A phone with one bar has four times as much. */
export const MIN_BODY_BYTES = 128 * 1024

/** How long a client may go on sending a body that was refused. */
export const REFUSED_BODY_GRACE_MS = 2000

export const HEADERS_TIMEOUT_MS = 10_000

export const TLS_HANDSHAKE_TIMEOUT_MS = 10_000

/** This is longer than the 60 s that proxies keep their end: if the server closed first, a request could get lost. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000

/** Ends an HTTP/2 session without traffic. Sync links have a heartbeat far below this time. */
export const IDLE_SESSION_TIMEOUT_MS = 5 * 60_000

/** Limits the requests at once on one HTTP/2 session, which every window of a browser shares. Node's default is 2³² - 1. */
export const MAX_CONCURRENT_STREAMS = 200

/**
 * How many requests one HTTP/2 connection may open and reset at once, and how many a second after that. A browser with many windows
 * resets some dozens when it closes them or tries transports. The connection is ended beyond the limit.
 */
export const MAX_RESETS_AT_ONCE = 400
export const MAX_RESETS_PER_SECOND = 100

/** Megabytes that Node may buffer for one HTTP/2 session. */
export const MAX_SESSION_MEMORY_MB = 10

/** Bytes that a client may send before the server reads: one window for each stream, and one for the whole session. */
export const STREAM_WINDOW_BYTES = 256 * 1024
export const SESSION_WINDOW_BYTES = 1024 * 1024

/** An answer of which the client takes nothing for so long is cut. The network's own buffers may hide a slow reader for some 20 s. */
export const UNREAD_ANSWER_TIMEOUT_MS = 60_000

/** Limits the stored bytes of versions that are being read, by all and by one principal. One of any size is read alone. */
export const MAX_DOWNLOADED_BYTES = 64 * 1024 * 1024
export const MAX_DOWNLOADED_BYTES_PER_PRINCIPAL = 26 * 1024 * 1024

/** Requests that are still open so long after a drain are cut. */
export const CLOSE_GRACE_MS = 1000

/**
 * Limits what the server buffers for one principal and for all: messages not acknowledged, frames that the network has not taken,
 * messages received in part. An honest window that is slow owes the state of its document, 24 MiB at most, and 1 MiB of changes.
 */
export const MAX_BUFFERED_BYTES_PER_PRINCIPAL = 256 * 1024 * 1024
export const MAX_BUFFERED_BYTES = 1024 * 1024 * 1024

/**
 * Limits the links of one principal, connections of stock clients included. A share link is one
 * principal for all programs that come by it alone.
 */
export const MAX_CONNECTIONS_PER_PERSON = 2_000
export const MAX_CONNECTIONS_PER_LINK_TOKEN = 20_000
