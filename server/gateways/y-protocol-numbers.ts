/** The numbers of y-protocols on the wire, as in the y-websocket package: the kinds of messages, and the steps of a SYNC. */

export const SYNC = 0
export const AWARENESS = 1
export const QUERY_AWARENESS = 3

export const STEP_1 = 0
export const STEP_2 = 1
export const UPDATE = 2

/** An update in V1 encoding without structs and deletions. */
export const EMPTY_UPDATE = Uint8Array.of(0, 0)
