/** What the listener grants to one connection or request (A6). One place, so that an operator can read it. */

/** Request line and headers together, both HTTP versions. */
export const MAX_HEADER_BYTES = 16 * 1024

/** A request body of the HTTP API. Text travels through the sync gateways, which have limits of their own. */
export const MAX_BODY_BYTES = 64 * 1024

/** The whole body of an API request must be here. The sync gateways' streamed uploads last as long as their link. */
export const BODY_TIMEOUT_MS = 30_000

/** How long the rest of a refused body may go on coming in. */
export const REFUSED_BODY_GRACE_MS = 2000

export const HEADERS_TIMEOUT_MS = 10_000

export const TLS_HANDSHAKE_TIMEOUT_MS = 10_000

/** Longer than the 60 s that proxies keep their end: who closes first must not be us, or a request gets lost. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000

/** An HTTP/2 session on which nothing moves. Sync links have a heartbeat far below it. */
export const IDLE_SESSION_TIMEOUT_MS = 5 * 60_000

/** Requests at once on one HTTP/2 session: every window of a browser shares it. Node's default is 2³² - 1. */
export const MAX_CONCURRENT_STREAMS = 200

/**
 * Requests that one HTTP/2 connection may open and take back: so many at once, and so many a second after that. A browser with
 * many windows takes back some dozens when it closes them or tries transports; beyond the limit the connection is ended.
 */
export const MAX_RESETS_AT_ONCE = 400
export const MAX_RESETS_PER_SECOND = 100

/** Megabytes that Node may hold for one HTTP/2 session. */
export const MAX_SESSION_MEMORY_MB = 10

/** Bytes a client may send before we read: a window for each stream, and one for the session around all of them. */
export const STREAM_WINDOW_BYTES = 256 * 1024
export const SESSION_WINDOW_BYTES = 1024 * 1024

/** After a drain, requests still open are cut. */
export const CLOSE_GRACE_MS = 1000

/**
 * What is held for clients: messages that nobody confirmed, frames that the network has not taken, messages that came only in part.
 * Of one principal, and of all. An honest window that is slow owes the state of its document, 24 MiB at most, and 1 MiB of changes.
 */
export const MAX_BUFFERED_BYTES_PER_PRINCIPAL = 256 * 1024 * 1024
export const MAX_BUFFERED_BYTES = 1024 * 1024 * 1024

/** Links of one principal, connections of stock clients included. A share link stands for all programs that come by it alone. */
export const MAX_CONNECTIONS_PER_PERSON = 2_000
export const MAX_CONNECTIONS_PER_LINK_TOKEN = 20_000
